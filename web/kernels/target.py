"""LLVM code for WebAssembly: another target, optimised for it, with wrappers of plain signatures, as an object file.

32-bit addresses: every browser has them, and they are the faster ones. Records keep addresses as 64-bit words, of
which the machine takes the lower half, as `inttoptr` means it.
"""

from __future__ import annotations

import re

import llvmlite.binding as llvm
from capture import Code
from fixed import as_calls

__all__ = ["to_object"]

TRIPLE = "wasm32-unknown-unknown"
LAYOUT = "e-m:e-p:32:32-p10:8:8-p20:8:8-i64:64-i128:128-n32:64-S128-ni:1:10:20"
FEATURES = "+bulk-memory,+sign-ext,+simd128,+nontrapping-fptoint,+mutable-globals"
COUNTING = re.compile(r"(define [^\n]*@NRT_(?:incref|decref)\([^\n]*\) [^\n]*)\{\n.*?\n\}\n", re.DOTALL)
"""Numba's functions that count references to arrays: those here lie in the memory of a run, and have no owner."""
PYTHON_OBJECTS = re.compile(r"(@numba\.dynamic\.globals\.[\w.]+ = )linkonce (global ptr) inttoptr .*")
PREFETCH = re.compile(r"^  (?:tail )?call void @llvm\.prefetch\.[^\n]*\n", re.MULTILINE)
"""Hints to the processor, which WebAssembly has not; what finds out their addresses would be left."""
OWN_NAME = re.compile(r'@"?((?:_ZN|numba\.dynamic\.globals\.)[^\s",()]+)"?')
"""Names that hold addresses of this process, which would order the code by them."""
HERE = "jumpnet.here"
"""What the function is called inside its module."""

RIGHT, NONE = 0, -2
"""What Numba's functions return when all is well: a result, or none."""

llvm.initialize_all_targets()
llvm.initialize_all_asmprinters()


def _retarget(text: str, symbol: str) -> str:
    """The module for the other machine, its names without the numbers that a process gives."""
    text = re.sub(r'target triple = ".*"', f'target triple = "{TRIPLE}"', text)
    text = re.sub(r'target datalayout = ".*"', f'target datalayout = "{LAYOUT}"', text)
    text = re.sub(r'"(?:target-cpu|target-features|probe-stack)"="[^"]*"', "", text)
    text = text.replace("= common ", "= weak ")
    text = COUNTING.sub(r"\1{\n  ret void\n}\n", text)
    text = PREFETCH.sub("", text)
    text = PYTHON_OBJECTS.sub(r"\1internal \2 null", text)
    text = re.sub(rf'@"?{re.escape(symbol)}"?(?=[( ])', f'@"{HERE}"', text)
    numbers: dict[str, int] = {}
    return OWN_NAME.sub(lambda found: f"@n{numbers.setdefault(found[1], len(numbers))}", text)


def _wrapper(code: Code, name: str, by_address: bool) -> str:
    """A function that takes and gives numbers alone, and stops the machine where Python would raise.

    Called by its address it takes and gives i64; else it takes what JavaScript has as numbers, and gives a double.
    """
    plain = [kind if by_address or kind == "double" else "i32" for kind in code.arguments]
    wide = [f"  %w{k} = sext i32 %a{k} to i64" for k, kind in enumerate(plain) if kind == "i32"]
    given = [f"{kind} %{'w' if plain[k] == 'i32' else 'a'}{k}" for k, kind in enumerate(code.arguments)]
    kind = code.result or "i64"
    gives = "i64" if by_address else "double"
    value = "%found" if kind == "i64" else "%whole"
    lines = [
        f'define {gives} @"{name}"({", ".join(f"{kind} %a{k}" for k, kind in enumerate(plain))}) {{',
        f"  %result = alloca {kind}",
        "  %error = alloca ptr",
        f"  store {kind} 0, ptr %result",
        *wide,
        f'  %status = call i32 @"{HERE}"({", ".join(["ptr %result", "ptr %error", *given])})',
        f"  switch i32 %status, label %bad [ i32 {RIGHT} , label %good i32 {NONE} , label %good ]",
        "bad:",
        "  call void @llvm.trap()",
        "  unreachable",
        "good:",
        f"  %found = load {kind}, ptr %result",
        *([] if kind == "i64" else [f"  %whole = sext {kind} %found to i64"]),
        f"  ret i64 {value}" if by_address else f"  %number = sitofp i64 {value} to double\n  ret double %number",
    ]
    return "\n".join([*lines, "}", "declare void @llvm.trap()", ""])


def _optimise(module: llvm.ModuleRef, machine: llvm.TargetMachine) -> None:
    """As `bodies.Whole` does: first leave out what the constants of an entry rule out, then all else."""
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    options.loop_unrolling = options.loop_interleaving = options.loop_vectorization = False  # slower there: measured
    builder = llvm.create_pass_builder(machine, options)
    first = llvm.newpassmanagers.create_new_module_pass_manager()
    first.add_ipsccp_pass()
    first.add_simplify_cfg_pass()
    first.add_global_dead_code_eliminate_pass()
    first.run(module, builder)
    builder.getModulePassManager().run(module, builder)
    last = llvm.newpassmanagers.create_new_module_pass_manager()
    last.add_global_dead_code_eliminate_pass()
    last.run(module, builder)


def to_object(code: Code, name: str, by_address: bool, fixed: bool) -> tuple[bytes, tuple[str, ...]]:
    """An object file that has the function under that name alone, and the names that it asks others for.

    fixed: whether it reads a record that does not change while it runs, for the page to write into the code.
    """
    text = _retarget(as_calls(code.text) if fixed else code.text, code.symbol) + _wrapper(code, name, by_address)
    if text.count("declare void @llvm.trap()") > 1:
        text = text.replace("declare void @llvm.trap()", "", 1)
    module = llvm.parse_assembly(text)
    for thing in (*module.functions, *module.global_variables):
        if not thing.is_declaration:
            thing.linkage = "external" if thing.name == name else "internal"
    module.verify()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(opt=3, features=FEATURES)
    _optimise(module, machine)
    wanted = [thing.name for thing in module.functions if thing.is_declaration and not thing.name.startswith("llvm.")]
    return machine.emit_object(module), tuple(wanted)
