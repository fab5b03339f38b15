#!/bin/sh
# A solver that misbehaves in the way its first argument says.
while read -r line; do
    case "$line" in
    *check-sat*)
        case "$1" in
        crash) exit 139 ;;
        hang) exec sleep 1000 ;;
        garbage) echo 'Segmentation (fault' ; echo ') sat? |' ; echo '|' ;;
        error) echo '(error "line 1: unknown constant")' ;;
        unsat) echo unsat ;;
        sat) echo sat ;;
        unknown) echo unknown ;;
        esac ;;
    *get-unsat-assumptions*) echo '()' ;;
    *get-value*) echo '((x 0))' ;;
    *get-interpolant*) echo '(define-fun I () Bool false)' ;;
    esac
done
