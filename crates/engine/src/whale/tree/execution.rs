//! From a model of the call tree to an execution.

use super::{InstanceId, Tree};
use base::FxHashMap;
use logic::{Model, Pool, TermId, Value, eval};
use program::Execution;

impl Tree<'_> {
    /// The execution that a model of the whole tree describes, as steps of the ghost program with
    /// calls expanded in place, from the inputs of the root.
    pub fn execution(&mut self, pool: &mut Pool, model: &Model) -> Option<Execution> {
        let mut steps = Vec::new();
        self.unfold(pool, model, self.root(), &mut steps)?;
        let func = self.instances[self.root()].func;
        let mut initial = Vec::new();
        for &p in &self.bodies.program.functions[func].params {
            let input = self.rename(pool, self.root(), self.bodies.program.vars[p].term);
            initial.push((p, eval(pool, model, input)));
        }
        Some(Execution { initial, steps })
    }

    /// Depth is bounded by the depth of the tree, which the engine grows step by step.
    fn unfold(
        &mut self,
        pool: &mut Pool,
        model: &Model,
        instance: InstanceId,
        steps: &mut Vec<evidence::Step>,
    ) -> Option<()> {
        let func = self.instances[instance].func;
        let block = self.bodies.bodies[func].block?;
        let constants = self.bodies.constants(pool, func);
        let mut values: FxHashMap<TermId, Value> = FxHashMap::default();
        for c in constants {
            let renamed = self.rename(pool, instance, c);
            values.insert(c, eval(pool, model, renamed));
        }
        let t = self.bodies.transition(func)?;
        // The formula has no other constants, so the default is never asked for.
        let lookup = |c: TermId| values.get(&c).cloned().unwrap_or(Value::Bool(false));
        let block = &self.bodies.graph.blocks[block];
        let path = block.concrete_path(pool, &self.bodies.program, t, &lookup)?;
        for (edge, havocs) in path {
            let origin = self.bodies.back.edge(edge);
            let call = self.bodies.bodies[func]
                .calls
                .iter()
                .position(|c| Some(c.edge) == origin);
            steps.push(evidence::Step { edge, havocs });
            if let Some(call) = call {
                let child = self.instances[instance].children[call]?;
                self.unfold(pool, model, child, steps)?;
            }
        }
        Some(())
    }
}
