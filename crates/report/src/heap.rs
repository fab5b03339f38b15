//! Memory in the rows of a trace: what is allocated, freed and written, where memory is checked.
//!
//! ```text
//!   node *n = malloc(16);     [heap#1 = 16 bytes allocated]
//!   n->next = head;           [heap#1+8 = 0]
//!   free(n);                  [heap#1 = freed]
//! ```
//! Objects of the heap are numbered in the order of their allocation.

use base::FxHashMap;
use logic::Value;
use program::interp::Change;
use program::{Program, VarKind};

/// The names of the objects of one execution.
#[derive(Default)]
pub(crate) struct Heap {
    numbers: FxHashMap<i128, usize>,
    /// Bytes that the object of a block last got.
    sizes: FxHashMap<i128, i128>,
}

impl Heap {
    /// What the changes of one step did to memory: a name and what it is now.
    pub(crate) fn rows(&mut self, program: &Program, changes: &[Change]) -> Vec<(String, String)> {
        let memory = &program.memory;
        let mut out = Vec::new();
        if memory.block == 0 {
            return out;
        }
        for change in changes {
            let var = &program.vars[change.var];
            let Some(at) = change.index.as_ref().and_then(number) else {
                continue;
            };
            if Some(var.term) == memory.size {
                let bytes = number(&change.value).unwrap_or(0);
                self.sizes.insert(at, bytes);
            }
        }
        for change in changes {
            let var = &program.vars[change.var];
            let Some(at) = change.index.as_ref().and_then(number) else {
                continue;
            };
            if Some(var.term) == memory.heap {
                let new = self.numbers.len() + 1;
                let lives = number(&change.value) == Some(1);
                if lives {
                    self.numbers.insert(at, new);
                }
                let bytes = self.sizes.get(&at).copied().unwrap_or(0);
                let state = match lives {
                    true => format!("{bytes} bytes allocated"),
                    false => "freed".into(),
                };
                out.push((self.name(program, at), state));
            } else if var.kind == VarKind::Global
                && var.source_name.is_none()
                && var.name.starts_with("mem.")
            {
                let block = i128::from(memory.block);
                let (number, offset) = (at.div_euclid(block), at.rem_euclid(block));
                let name = format!("{}+{offset}", self.name(program, number));
                out.push((name, crate::show_value(&change.value)));
            }
        }
        out
    }

    fn name(&self, program: &Program, block: i128) -> String {
        let known = u64::try_from(block).ok();
        let known = known.and_then(|b| program.memory.objects.get(&b));
        match (known, self.numbers.get(&block)) {
            (Some(object), _) => object.name.clone(),
            (None, Some(n)) => format!("heap#{n}"),
            (None, None) => format!("block#{block}"),
        }
    }
}

fn number(value: &Value) -> Option<i128> {
    value.as_num().and_then(|n| n.to_string().parse().ok())
}
