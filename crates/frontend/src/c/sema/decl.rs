//! Declarations at file and block scope: typedefs, objects, functions; tentative definitions.

use super::super::hir::{self, FuncId, Global, GlobalId, Linkage, LocalKind, StmtKind};
use super::super::types::{ArrayLen, Type, TypeId};
use super::qualifiers::object_is_const;
use super::{Binding, Entity, Sema};
use crate::c::syntax::ast::*;
use crate::c::syntax::lexer::Symbol;
use program::{Severity, Span};

impl Sema<'_, '_> {
    pub(super) fn file_declaration(&mut self, declaration: &Declaration) {
        let base = self.specifiers(&declaration.specs);
        for item in &declaration.declarators {
            let ty = self.declared_type(base, &item.declarator);
            let span = self.span(item.declarator.at);
            let Some(name) = item.declarator.name else {
                continue;
            };
            if self.declared_elsewhere(&declaration.specs, item, name, ty, span) {
                continue;
            }
            self.global(&declaration.specs, item, name, ty, span);
        }
    }

    /// Typedefs and functions, alike at both scopes.
    fn declared_elsewhere(
        &mut self,
        specs: &Specifiers,
        item: &InitDeclarator,
        name: Symbol,
        ty: TypeId,
        span: Span,
    ) -> bool {
        if specs.storage == Storage::Typedef {
            self.typedef(name, ty, span);
            let declarator = &item.declarator;
            let mut attributes = specs.attributes.iter().chain(&declarator.attributes);
            if attributes.any(|a| matches!(a, Attribute::TransparentUnion))
                && let Some(record) = self.types().record(ty)
            {
                self.unit.types.records[record].transparent = true;
            }
            let align = self.declared_alignment(specs, declarator);
            let key = (name, self.depth());
            let pointed = self.pointed_qualifiers(specs, declarator);
            self.pointed_names.typedefs.insert(key, pointed);
            match align {
                Some(align) => self.typedef_aligns.insert(key, align),
                None => self.typedef_aligns.remove(&key),
            };
            return true;
        }
        if matches!(self.types().get(ty), Type::Function(_)) {
            if item.init.is_some() {
                self.error(span, "a function has no initialiser");
            }
            let f = self.declare_function(specs, &item.declarator, name, ty, span);
            for attribute in &item.declarator.attributes {
                match attribute {
                    Attribute::Alias(at) => {
                        let target = self.strings_text(*at);
                        self.aliases.push((f, target, span));
                    }
                    Attribute::AsmLabel(at) => {
                        let target = self.strings_text(*at);
                        self.asm_names.push((f, target, span));
                    }
                    _ => {}
                }
            }
            return true;
        }
        false
    }

    /// The alignment that a declaration asks for.
    fn declared_alignment(&mut self, specs: &Specifiers, declarator: &Declarator) -> Option<u64> {
        let mut align = self.alignment(&declarator.attributes);
        let is_object = specs.storage != Storage::Typedef;
        if is_object || declarator.parts.is_empty() {
            align = align.max(self.alignment(&specs.attributes));
        }
        if declarator.parts.is_empty() {
            align = align.or(self.typedef_alignment(specs));
        }
        align
    }

    fn typedef(&mut self, name: Symbol, ty: TypeId, span: Span) {
        let depth = self.depth();
        match self.ordinary.get_at(name, depth) {
            Some(Binding::Typedef(old)) if self.compatible(old, ty, 0) => {}
            Some(Binding::Typedef(_)) if super::BUILTIN_TYPES.contains(&self.text(name)) => {}
            Some(_) => {
                let text = self.text(name);
                self.error(span, format!("`{text}` is declared again as another type"));
                return;
            }
            None => {}
        }
        self.bind(name, Binding::Typedef(ty));
    }

    /// What the linker knows by this name: of this file first, then external ones of others.
    fn known_entity(&self, name: Symbol) -> Option<Entity> {
        self.file_entities.get(&name).copied()
    }

    // ------------------------------------------------------------ functions

    pub(super) fn declare_function(
        &mut self,
        specs: &Specifiers,
        declarator: &Declarator,
        name: Symbol,
        ty: TypeId,
        span: Span,
    ) -> FuncId {
        let noreturn = specs.noreturn
            || specs
                .attributes
                .iter()
                .chain(&declarator.attributes)
                .any(|a| matches!(a, Attribute::Noreturn));
        let weak = specs
            .attributes
            .iter()
            .chain(&declarator.attributes)
            .any(|a| matches!(a, Attribute::Weak));
        let is_static = specs.storage == Storage::Static;
        let mut known = self.known_entity(name);
        let mut here = known.is_some();
        if known.is_none() && !is_static {
            known = self.linked.get(&name).copied();
            here = false;
        }
        let mut clash = false;
        let f = match known {
            Some(Entity::Func(f)) => {
                self.merge_function(f, ty, here, span);
                f
            }
            other => {
                clash = other.is_some();
                if clash {
                    let text = self.text(name);
                    self.error(span, format!("`{text}` was declared as an object"));
                }
                let text = self.text(name).to_string();
                self.unit.functions.push(hir::Function {
                    name: text.clone(),
                    source_name: text,
                    ty,
                    span,
                    linkage: if is_static {
                        Linkage::Internal
                    } else {
                        Linkage::External
                    },
                    is_noreturn: false,
                    is_weak: false,
                    implicit: false,
                    library: false,
                    body: None,
                })
            }
        };
        for attribute in specs.attributes.iter().chain(&declarator.attributes) {
            let (Attribute::Constructor(priority) | Attribute::Destructor(priority)) = attribute
            else {
                continue;
            };
            let last = i128::from(u16::MAX);
            let priority = priority.as_deref();
            let priority = priority.and_then(|e| self.constant(e, "the priority"));
            let key = (priority.unwrap_or(last), f);
            match attribute {
                Attribute::Constructor(_) => self.constructors.insert(key, span),
                _ => self.destructors.insert(key, span),
            };
        }
        let mut align = self.alignment(&declarator.attributes);
        align = align.max(self.alignment(&specs.attributes));
        if let Some(align) = align {
            let known = self.unit.alignments.functions.entry(f).or_insert(1);
            *known = align.max(*known);
        }
        let function = &mut self.unit.functions[f];
        function.is_noreturn |= noreturn;
        function.is_weak |= weak;
        if function.linkage == Linkage::External {
            self.linked.insert(name, Entity::Func(f));
        }
        self.file_entities.insert(name, Entity::Func(f));
        let depth = self.depth();
        match self.ordinary.get_at(name, depth) {
            Some(Binding::Func(_)) | None => {}
            Some(_) if clash => {}
            Some(_) => {
                let text = self.text(name);
                self.error(span, format!("`{text}` is declared again as a function"));
            }
        }
        self.bind(name, Binding::Func(f));
        f
    }

    fn declared_otherwise(
        &mut self,
        name: &str,
        (old, ty): (TypeId, TypeId),
        here: bool,
        span: Span,
    ) {
        let (was, is) = (self.show(old), self.show(ty));
        let help = Some(format!("it was `{was}` before, now it is `{is}`"));
        let message = format!("`{name}` is declared again with another type");
        // Files that disagree still link.
        let severity = match here {
            true => Severity::Error,
            false => Severity::Warning,
        };
        self.report(severity, span, message, help);
    }

    fn merge_function(&mut self, f: FuncId, ty: TypeId, here: bool, span: Span) {
        let old = self.unit.functions[f].ty;
        if self.unit.functions[f].implicit {
            self.unit.functions[f].implicit = false;
            self.unit.functions[f].ty = ty;
            return;
        }
        if !self.compatible(old, ty, 0) {
            let name = self.unit.functions[f].source_name.clone();
            self.declared_otherwise(&name, (old, ty), here, span);
            return;
        }
        let was_unprototyped = self.types().function(old).is_some_and(|t| t.unprototyped);
        if was_unprototyped {
            self.unit.functions[f].ty = ty;
        }
    }

    // ------------------------------------------------------------ objects

    fn global(
        &mut self,
        specs: &Specifiers,
        item: &InitDeclarator,
        name: Symbol,
        ty: TypeId,
        span: Span,
    ) {
        let ty = self.auto_type(specs, item, ty);
        let is_extern = specs.storage == Storage::Extern;
        if self.other_name(&item.declarator, name, is_extern, span) {
            return;
        }
        let id = self.declare_global(specs, name, ty, is_extern && item.init.is_none(), span);
        self.unit.globals[id].is_const = object_is_const(specs, &item.declarator);
        self.note_global(id, specs, &item.declarator);
        let mut attributes = specs.attributes.iter().chain(&item.declarator.attributes);
        if attributes.any(|a| matches!(a, Attribute::Weak)) {
            self.weak_globals.insert(id);
        }
        if let Some(init) = &item.init {
            if self.unit.globals[id].init.is_some() {
                let text = self.text(name);
                self.error(span, format!("`{text}` is defined again"));
                return;
            }
            let declared = self.unit.globals[id].ty;
            let (ty, init) = self.initializer(declared, init, span);
            self.unit.globals[id].ty = ty;
            self.lengthen(id, &init);
            self.unit.globals[id].init = Some(self.static_initializer(init));
            self.unit.globals[id].defined = true;
            self.unit.globals[id].span = span;
        }
    }

    fn note_global(&mut self, id: GlobalId, specs: &Specifiers, declarator: &Declarator) {
        let pointed = self.pointed_qualifiers(specs, declarator);
        self.pointed_names.globals.insert(id, pointed);
        if let Some(align) = self.declared_alignment(specs, declarator) {
            let known = self.unit.alignments.globals.entry(id).or_insert(1);
            *known = align.max(*known);
        }
    }

    /// `int b __attribute__((alias("a")))`, `extern int b asm("a")`: another name of an object.
    fn other_name(&mut self, item: &Declarator, name: Symbol, is_extern: bool, at: Span) -> bool {
        let target = item.attributes.iter().find_map(|a| match a {
            Attribute::Alias(token) => Some((*token, true)),
            Attribute::AsmLabel(token) => Some((*token, is_extern)),
            _ => None,
        });
        let Some((token, needed)) = target else {
            return false;
        };
        let text = self.strings_text(token);
        if text == self.text(name) || !needed && self.names.get(&text).is_none() {
            return false;
        }
        let entity = self.names.get(&text).and_then(|s| {
            let here = self.file_entities.get(&s);
            here.or_else(|| self.linked.get(&s)).copied()
        });
        if let Some(Entity::Global(g)) = entity {
            self.file_entities.insert(name, Entity::Global(g));
            self.linked.insert(name, Entity::Global(g));
            self.bind(name, Binding::Global(g));
            return true;
        }
        let shown = self.text(name);
        let message = format!("`{shown}` names `{text}`, an object that is not declared before it");
        self.error(at, message);
        true
    }

    fn declare_global(
        &mut self,
        specs: &Specifiers,
        name: Symbol,
        ty: TypeId,
        only_declared: bool,
        span: Span,
    ) -> GlobalId {
        let is_static = specs.storage == Storage::Static;
        if self.types().is_void(ty) {
            let text = self.text(name);
            self.error(span, format!("`{text}` cannot have type void"));
        }
        let mut known = self.known_entity(name);
        let mut here = known.is_some();
        if known.is_none() && !is_static {
            known = self.linked.get(&name).copied();
            here = false;
        }
        let id = match known {
            Some(Entity::Global(g)) => {
                self.merge_global(g, ty, here, span);
                g
            }
            other => {
                if other.is_some() {
                    let text = self.text(name);
                    self.error(span, format!("`{text}` was declared as a function"));
                }
                let text = self.text(name).to_string();
                self.unit.globals.push(Global {
                    name: text.clone(),
                    source_name: Some(text),
                    ty,
                    span,
                    linkage: if is_static {
                        Linkage::Internal
                    } else {
                        Linkage::External
                    },
                    defined: false,
                    init: None,
                    is_const: specs.quals.is_const,
                    is_volatile: specs.quals.is_volatile,
                    thread_local: specs.thread_local,
                    function: None,
                })
            }
        };
        let global = &mut self.unit.globals[id];
        if !only_declared && !global.defined {
            global.defined = true;
            global.span = span;
        }
        if global.linkage == Linkage::External {
            self.linked.insert(name, Entity::Global(id));
        }
        self.file_entities.insert(name, Entity::Global(id));
        let depth = self.depth();
        if let Some(Binding::Typedef(_) | Binding::EnumConstant(..) | Binding::Local(_)) =
            self.ordinary.get_at(name, depth)
        {
            let text = self.text(name);
            self.error(span, format!("`{text}` is declared again as an object"));
        }
        self.bind(name, Binding::Global(id));
        id
    }

    fn merge_global(&mut self, g: GlobalId, ty: TypeId, here: bool, span: Span) {
        let old = self.unit.globals[g].ty;
        if !self.compatible(old, ty, 0) {
            let name = self.unit.globals[g].source_name.clone().unwrap_or_default();
            self.declared_otherwise(&name, (old, ty), here, span);
            return;
        }
        if self.is_incomplete_array(old) {
            self.unit.globals[g].ty = ty;
        } else if !here && self.types().size_of(old).is_none() {
            // Another file completes the record.
            self.unit.globals[g].ty = ty;
        }
    }

    /// `__auto_type x = e`: the type of `e`.
    fn auto_type(&mut self, specs: &Specifiers, item: &InitDeclarator, ty: TypeId) -> TypeId {
        match (&specs.ty, &item.init) {
            (TypeSpec::Auto, Some(Initializer::Expr(e))) => {
                let found = self.type_of(e);
                self.adjusted(found)
            }
            _ => ty,
        }
    }

    // ------------------------------------------------------------ block scope

    pub(super) fn local_declaration(
        &mut self,
        declaration: &Declaration,
        out: &mut Vec<hir::Stmt>,
    ) {
        let specs = &declaration.specs;
        let base = self.specifiers(specs);
        out.append(&mut self.pending);
        for item in &declaration.declarators {
            let ty = self.declared_type(base, &item.declarator);
            out.append(&mut self.pending);
            let span = self.span(item.declarator.at);
            let Some(name) = item.declarator.name else {
                continue;
            };
            if self.declared_elsewhere(specs, item, name, ty, span) {
                continue;
            }
            match specs.storage {
                Storage::Extern => {
                    if item.init.is_some() {
                        self.error(span, "an extern declaration in a block has no initialiser");
                    }
                    self.declare_global(specs, name, ty, true, span);
                }
                Storage::Static => self.static_local(specs, item, name, ty, span),
                _ => self.local(specs, item, name, ty, span, out),
            }
        }
    }

    fn check_new_name(&mut self, name: Symbol, span: Span) {
        let depth = self.depth();
        if self.ordinary.get_at(name, depth).is_some() {
            let text = self.text(name);
            self.error(span, format!("`{text}` is declared again in this scope"));
        }
    }

    fn static_local(
        &mut self,
        specs: &Specifiers,
        item: &InitDeclarator,
        name: Symbol,
        ty: TypeId,
        span: Span,
    ) {
        self.check_new_name(name, span);
        let ty = self.auto_type(specs, item, ty);
        let function = self.func.as_ref().map(|f| f.id);
        let prefix = function.map_or("", |f| self.unit.functions[f].source_name.as_str());
        let text = self.text(name);
        let id = self.unit.globals.push(Global {
            name: format!("{prefix}.{text}"),
            source_name: Some(text.into()),
            ty,
            span,
            linkage: Linkage::Internal,
            defined: true,
            init: None,
            is_const: object_is_const(specs, &item.declarator),
            is_volatile: specs.quals.is_volatile,
            thread_local: specs.thread_local,
            function,
        });
        self.note_global(id, specs, &item.declarator);
        self.bind(name, Binding::Global(id));
        if let Some(init) = &item.init {
            let (ty, init) = self.initializer(ty, init, span);
            self.unit.globals[id].ty = ty;
            self.lengthen(id, &init);
            self.unit.globals[id].init = Some(self.static_initializer(init));
        }
        let ty = self.unit.globals[id].ty;
        self.check_complete(ty, name, span);
    }

    fn check_complete(&mut self, ty: TypeId, name: Symbol, span: Span) {
        let complete = self.size_form(ty).is_some() && !self.types().is_void(ty);
        if !complete {
            let (shown, text) = (self.show(ty), self.text(name));
            self.error(span, format!("`{text}` has incomplete type `{shown}`"));
        }
    }

    fn local(
        &mut self,
        specs: &Specifiers,
        item: &InitDeclarator,
        name: Symbol,
        ty: TypeId,
        span: Span,
        out: &mut Vec<hir::Stmt>,
    ) {
        self.check_new_name(name, span);
        let ty = self.auto_type(specs, item, ty);
        let text = self.text(name);
        let local = self.new_local(text, ty, span, LocalKind::Auto, specs.quals);
        self.bind(name, Binding::Local(local));
        if let Some(align) = self.declared_alignment(specs, &item.declarator) {
            self.unit.alignments.locals.insert(local, align);
        }
        let init = item.init.as_ref().map(|init| {
            let is_vla = matches!(self.types().get(ty), Type::Array(_, ArrayLen::Variable(_)));
            if is_vla {
                self.error(span, "an array of variable length has no initialiser");
            }
            let (ty, init) = self.initializer(ty, init, span);
            self.unit.locals[local].ty = ty;
            init
        });
        let ty = self.unit.locals[local].ty;
        self.check_complete(ty, name, span);
        let kind = StmtKind::Decl { local, init };
        out.push(hir::Stmt { kind, span });
        self.note_cleanup(local, specs, &item.declarator);
        let pointed = self.pointed_qualifiers(specs, &item.declarator);
        self.pointed_names.locals.insert(local, pointed);
    }
}
