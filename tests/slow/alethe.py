#!/usr/bin/env python3
"""Random scripts whose refutations `craig smt` writes as Alethe proofs; carcara judges each.

    alethe.py CRAIG CARCARA [--count N] [--from SEED] [--keep DIR]

CARCARA is the checker of Alethe proofs (github: ufmg-smite/carcara). A script that is satisfiable is passed over;
a refutation must become a proof that carcara calls `valid`, or `craig` must say what Alethe has no rule for.
Ends with how many there were of each; exit status 1 if a proof was not valid.
"""
import argparse, collections, os, random, subprocess, sys, tempfile


def script(seed):
    rng = random.Random(seed)
    numbers = rng.choice(["Int", "Int", "Real", None])
    logic = {"Int": "QF_UFLIA", "Real": "QF_UFLRA", None: "QF_UF"}[numbers]
    sort = numbers or "U"
    lines = [f"(set-logic {logic})"]
    if not numbers:
        lines.append("(declare-sort U 0)")
    constants = [f"x{i}" for i in range(rng.randint(2, 4))]
    for c in constants:
        lines.append(f"(declare-fun {c} () {sort})")
    functions = {"f": 1, "g": 2} if rng.random() < 0.7 else {}
    for f, n in functions.items():
        lines.append(f"(declare-fun {f} ({' '.join([sort] * n)}) {sort})")
    predicates = {"p": 0, "q": 0}
    if functions:
        predicates["r"] = 1
    for p, n in predicates.items():
        lines.append(f"(declare-fun {p} ({' '.join([sort] * n)}) Bool)")

    def number():
        n = rng.randint(-4, 4)
        text = f"{abs(n)}.0" if numbers == "Real" else str(abs(n))
        return f"(- {text})" if n < 0 else text

    def term(depth):
        kinds = ["name"] * 3
        if depth > 0:
            kinds += ["function"] * (2 if functions else 0)
            kinds += ["ite"] if rng.random() < 0.3 else []
            if numbers:
                kinds += ["sum", "sum", "difference", "multiple", "minus", "number"]
        kind = rng.choice(kinds)
        if kind == "name":
            return rng.choice(constants)
        if kind == "number":
            return number()
        if kind == "function":
            f = rng.choice(list(functions))
            return f"({f} {' '.join(term(depth - 1) for _ in range(functions[f]))})"
        if kind == "ite":
            return f"(ite {formula(depth - 1)} {term(depth - 1)} {term(depth - 1)})"
        if kind == "sum":
            return f"(+ {' '.join(term(depth - 1) for _ in range(rng.randint(2, 3)))})"
        if kind == "difference":
            return f"(- {term(depth - 1)} {term(depth - 1)})"
        if kind == "minus":
            return f"(- {term(depth - 1)})"
        return f"(* {number()} {term(depth - 1)})"

    def atom(depth):
        kinds = ["=", "=", "predicate"]
        if numbers:
            kinds += ["<=", "<", ">=", ">"]
        if rng.random() < 0.2:
            kinds.append("distinct")
        kind = rng.choice(kinds)
        if kind == "predicate":
            p = rng.choice(list(predicates))
            return f"(r {term(depth)})" if p == "r" else p
        count = rng.randint(2, 3) if kind == "distinct" else 2
        return f"({kind} {' '.join(term(depth) for _ in range(count))})"

    def formula(depth):
        if depth <= 0 or rng.random() < 0.3:
            return atom(rng.randint(0, 2))
        kind = rng.choice(["not", "and", "or", "=>", "=", "xor", "ite", "let"])
        if kind == "not":
            return f"(not {formula(depth - 1)})"
        if kind in ("and", "or"):
            return f"({kind} {' '.join(formula(depth - 1) for _ in range(rng.randint(2, 3)))})"
        if kind == "ite":
            return f"(ite {formula(depth - 1)} {formula(depth - 1)} {formula(depth - 1)})"
        if kind == "let":
            return f"(let ((v {formula(depth - 1)})) (or v (not {formula(depth - 1)}) (and v {formula(depth - 1)})))"
        return f"({kind} {formula(depth - 1)} {formula(depth - 1)})"

    for _ in range(rng.randint(4, 14)):
        lines.append(f"(assert {formula(rng.randint(0, 3))})")
    return lines + ["(check-sat)"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("craig")
    parser.add_argument("carcara")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--from", dest="first", type=int, default=1)
    parser.add_argument("--keep", help="a folder for scripts whose proof was not valid")
    args = parser.parse_args()
    counts, reasons, bad = collections.Counter(), collections.Counter(), []
    with tempfile.TemporaryDirectory() as folder:
        problem, proof = os.path.join(folder, "p.smt2"), os.path.join(folder, "p.alethe")
        for seed in range(args.first, args.first + args.count):
            lines = script(seed)
            text = "\n".join(["(set-option :produce-proofs true)", *lines, "(get-proof)"])
            run = subprocess.run([args.craig, "smt", "-"], input=text, capture_output=True, text=True, timeout=60)
            answer, _, rest = run.stdout.partition("\n")
            if answer != "unsat":
                counts[answer or "crash"] += 1
                continue
            if not rest.startswith("(\n"):
                counts["no proof"] += 1
                reasons[rest.split(": ", 1)[-1].strip()] += 1
                continue
            with open(problem, "w") as f:
                f.write("\n".join(lines))
            with open(proof, "w") as f:
                f.write(rest.strip()[1:-1])
            check = subprocess.run([args.carcara, "check", "--expand-let-bindings", proof, problem],
                                   capture_output=True, text=True, timeout=60)
            valid = check.stdout.strip() == "valid"
            counts["valid" if valid else "INVALID"] += 1
            if not valid:
                bad.append((seed, (check.stdout + check.stderr).strip().splitlines()[-1:]))
                if args.keep:
                    os.makedirs(args.keep, exist_ok=True)
                    for name, content in (("smt2", text), ("alethe", rest)):
                        with open(os.path.join(args.keep, f"{seed}.{name}"), "w") as f:
                            f.write(content)
    print(dict(counts))
    for reason, n in reasons.most_common():
        print(f"  no proof {n}: {reason}")
    for seed, why in bad:
        print(f"  INVALID {seed}: {why}")
    sys.exit(1 if bad else 0)


main()
