;@ verdict: safe
;@ engines: portfolio
; What LLVM 18 to 22 added: flags, attributes with values, records of debug information, splats.
source_filename = "newest.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%pair = type { i32, i32 }
@table = private unnamed_addr constant [2 x i32] [i32 3, i32 4], align 4
@inside = internal constant ptr getelementptr inbounds nuw inrange(-4, 4) (i8, ptr @table, i64 4), align 8

declare noundef range(i32 0, 10) i32 @__VERIFIER_nondet_int() #1
declare void @reach_error()
declare i32 @llvm.ucmp.i32.i32(i32, i32)
declare i32 @llvm.umax.i32(i32, i32)

define internal void @fill(ptr dead_on_unwind noalias noundef writable sret(%pair) align 4 captures(none) dereferenceable(8) initializes((0, 8)) %0, i32 noundef range(i32 0, 10) %1) unnamed_addr #0 !dbg !10 {
    #dbg_value(i32 %1, !14, !DIExpression(), !15)
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 4, !dbg !15
  %4 = shl nuw nsw i32 %1, 1, !dbg !15
  %5 = or disjoint i32 %4, 1, !dbg !15
  store i32 %5, ptr %0, align 4, !dbg !15
  store i32 %1, ptr %3, align 4, !dbg !15
    #dbg_label(!16, !15)
  ret void, !dbg !15
}

define dso_local noundef i32 @main() local_unnamed_addr #0 !dbg !12 {
entry:
  %p = alloca %pair, align 4
    #dbg_declare(ptr %p, !17, !DIExpression(DW_OP_plus_uconst, 4), !18)
    #dbg_assign(i1 poison, !17, !DIExpression(), !19, ptr %p, !DIExpression(), !18)
  %n = tail call noundef i32 @__VERIFIER_nondet_int(), !dbg !18
  %low = icmp ult i32 %n, 10
  br i1 %low, label %go, label %done

go:
  call void @fill(ptr dead_on_unwind nonnull writable sret(%pair) align 4 %p, i32 noundef %n), !dbg !18
  %a = load i32, ptr %p, align 4
  %w = zext nneg i32 %n to i64
  %t = trunc nuw nsw i64 %w to i32
  %half = lshr exact i32 %a, 0
  %q = lshr i32 %half, 1
  %f = uitofp nneg i32 %t to double
  %i = fptosi double %f to i32
  %c = icmp samesign uge i32 %q, %i
  %s = call i32 @llvm.ucmp.i32.i32(i32 %q, i32 %t)
  %z = icmp eq i32 %s, 0
  %v = add <2 x i32> splat (i32 5), <i32 1, i32 2>
  %v1 = extractelement <2 x i32> %v, i64 1
  %seven = icmp eq i32 %v1, 7
  %in = load ptr, ptr @inside, align 8
  %four = load i32, ptr %in, align 4
  %m = call i32 @llvm.umax.i32(i32 %four, i32 3)
  %mo = icmp eq i32 %m, 4
  %x = and i1 %c, %z
  %y = and i1 %seven, %mo
  %all = and i1 %x, %y
  br i1 %all, label %done, label %bad

bad:
  call void @reach_error()
  unreachable

done:
  ret i32 0
}

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: write, inaccessiblemem: none) uwtable "min-legal-vector-width"="0" "target-features"="+cx8,+mmx" }
attributes #1 = { nocallback nofree memory(none) "alloc-family"="x" }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "clang 22", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "newest.c", directory: "/tmp")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!5 = !DISubroutineType(types: !6)
!6 = !{!4}
!10 = distinct !DISubprogram(name: "fill", scope: !1, file: !1, line: 1, type: !5, scopeLine: 1, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagLocalToUnit, unit: !0, keyInstructions: true)
!12 = distinct !DISubprogram(name: "main", scope: !1, file: !1, line: 5, type: !5, scopeLine: 5, spFlags: DISPFlagDefinition, unit: !0)
!14 = !DILocalVariable(name: "n", arg: 1, scope: !10, file: !1, line: 1, type: !4)
!15 = !DILocation(line: 2, column: 3, scope: !10, atomGroup: 1, atomRank: 2)
!16 = !DILabel(scope: !10, name: "out", file: !1, line: 3)
!17 = !DILocalVariable(name: "p", scope: !12, file: !1, line: 6, type: !4)
!18 = !DILocation(line: 6, column: 7, scope: !12)
!19 = distinct !DIAssignID()
