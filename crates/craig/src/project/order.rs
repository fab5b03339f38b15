//! The order of units: callees before callers, cycles together. `levels` counts how deep each node of
//! a graph is above its leaves, where a strongly connected component counts as one node (Tarjan,
//! without recursion: call graphs can be deep).

/// The level of each node: 0 without successors, else one more than the deepest successor outside its
/// own component.
pub fn levels(edges: &[Vec<usize>]) -> Vec<usize> {
    let components = components(edges);
    let mut of = vec![0; edges.len()];
    for (c, members) in components.iter().enumerate() {
        for &m in members {
            of[m] = c;
        }
    }
    let mut level = vec![0; components.len()];
    // Components come callees first.
    for (c, members) in components.iter().enumerate() {
        let below = members.iter().flat_map(|&m| &edges[m]).map(|&to| of[to]);
        level[c] = below
            .filter(|&b| b != c)
            .map(|b| level[b] + 1)
            .max()
            .unwrap_or(0);
    }
    of.into_iter().map(|c| level[c]).collect()
}

/// Strongly connected components, each after those that it reaches.
fn components(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let mut index = vec![NEW; edges.len()];
    let mut low = vec![0; edges.len()];
    let mut on_stack = vec![false; edges.len()];
    let (mut stack, mut found, mut count) = (Vec::new(), Vec::new(), 0);
    for root in 0..edges.len() {
        if index[root] != NEW {
            continue;
        }
        // A node with the number of its successors already looked at.
        let mut path = vec![(root, 0)];
        while let Some(&mut (node, ref mut at)) = path.last_mut() {
            if *at == 0 {
                (index[node], low[node]) = (count, count);
                count += 1;
                stack.push(node);
                on_stack[node] = true;
            }
            if let Some(&to) = edges[node].get(*at) {
                *at += 1;
                if index[to] == NEW {
                    path.push((to, 0));
                } else if on_stack[to] {
                    low[node] = low[node].min(index[to]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == index[node] {
                let mut members = Vec::new();
                while let Some(member) = stack.pop() {
                    on_stack[member] = false;
                    members.push(member);
                    if member == node {
                        break;
                    }
                }
                found.push(members);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callees_come_first_and_cycles_together() {
        // 0 → 1 → 2 → 1, 2 → 3, 4 alone, 5 → itself.
        let edges = vec![vec![1], vec![2], vec![1, 3], vec![], vec![], vec![5]];
        assert_eq!(levels(&edges), [2, 1, 1, 0, 0, 0]);
        let chain: Vec<Vec<usize>> = (0..100_000)
            .map(|i| if i == 0 { vec![] } else { vec![i - 1] })
            .collect();
        assert_eq!(levels(&chain)[99_999], 99_999);
    }
}
