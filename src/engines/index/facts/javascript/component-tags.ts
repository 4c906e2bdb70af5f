import { memberName } from './binding-names.ts'
import { dottedName, originOf } from './callee.ts'
import type { Imported } from './imported.ts'
import { isMemberExpression, isName, type Arrow, type Class, type Func, type Syntax, type Visitor } from './syntax.ts'

/** What is known of a file when its tags are decided. */
export interface TagContext {
  /** Names inside the file that are exported. */
  readonly locals: ReadonlySet<string>
  readonly hasDefault: boolean
  readonly kinds: ReadonlySet<string>
}

export interface ComponentTags {
  readonly visitor: Visitor
  tags(context: TagContext): ReadonlySet<string>
}

const REACT = /^(react|react\/.*|preact\/compat)$/
/** Modules whose JSX is not React's. */
const OTHER_JSX =
  /^(vue|vue\/.*|@vue\/.*|solid-js|solid-js\/.*|@builder\.io\/qwik|@stencil\/core|preact|preact\/(?!compat).*|hono\/jsx.*)$/
const ELEMENT_CALLS = new Set(['createElement', 'cloneElement', 'jsx', 'jsxs', 'jsxDEV'])
const WRAPPERS = new Set(['memo', 'forwardRef', 'lazy'])
const ANGULAR: Readonly<Record<string, string>> = {
  Component: 'angular-component',
  Directive: 'angular-directive',
  Injectable: 'angular-service',
  NgModule: 'angular-module',
  Pipe: 'angular-pipe',
}

interface Scope {
  readonly node: Syntax
  readonly name: string | undefined
  renders: boolean
  hooks: boolean
}

/** Finds components and hooks by what functions and classes do. */
export function componentTags(uses: Imported, text: string): ComponentTags {
  const tags = new Set<string>()
  const components = new Set<string>()
  const hooks = new Set<string>()
  const scopes: Scope[] = []
  const speaksJsx = [...uses.modules].some(module => REACT.test(module)) || ![...uses.modules].some(isOtherJsx)
  /** A value that was just given a name by what stands around it. */
  let given: { readonly value: Syntax; readonly name: string | undefined } | undefined

  const enter = (node: Func | Arrow) =>
    void scopes.push({ node, name: ('id' in node && node.id?.name) || givenName(node), renders: false, hooks: false })
  const leave = (node: Syntax) => {
    const scope = scopes.at(-1)
    if (scope?.node !== node) return
    scopes.pop()
    if (scope.name === undefined) return
    if (scope.renders && isComponentName(scope.name)) components.add(scope.name)
    if (scope.hooks && isHookName(scope.name)) hooks.add(scope.name)
  }
  const markup = () => {
    if (speaksJsx) rendered()
  }
  return {
    visitor: {
      Function: enter,
      'Function:exit': leave,
      ArrowFunctionExpression: enter,
      'ArrowFunctionExpression:exit': leave,
      JSXElement: markup,
      JSXFragment: markup,
      CallExpression: node => called(node.callee, node),
      Class: declared,
      VariableDeclarator({ id, init }) {
        if (init && isName(id)) given = { value: init, name: id.name }
      },
      AssignmentExpression({ left, right }) {
        if (!isMemberExpression(left)) return
        const name = memberName(left)
        given = { value: right, name: name === 'exports' ? DEFAULT : name }
      },
      ExportDefaultDeclaration({ declaration }) {
        given = { value: declaration, name: DEFAULT }
      },
    },
    tags({ locals, hasDefault, kinds }) {
      // What tests and stories render for themselves is not what they are.
      const isOnlyUser = kinds.has('test') || kinds.has('story')
      const shown = [...components].some(name => locals.has(name) || (name === DEFAULT && hasDefault))
      if (kinds.has('story') ? false : isOnlyUser ? shown : components.size > 0) tags.add('react-component')
      if ([...hooks].some(name => locals.has(name))) tags.add('hook')
      return tags
    },
  }

  /** Every function around counts, up to the first that is a component itself. */
  function rendered(): void {
    for (const scope of scopes.toReversed()) {
      scope.renders = true
      if (scope.name !== undefined && isComponentName(scope.name)) return
    }
  }

  function called(callee: Syntax, call: Syntax): void {
    const name = dottedName(callee)
    if (name === undefined) return
    const origin = originOf(name, uses)
    const last = name.slice(name.lastIndexOf('.') + 1)
    if (isHookName(last) || (last === 'use' && origin !== undefined && REACT.test(origin.module))) hooked()
    const isReact = origin ? REACT.test(origin.module) : name.startsWith('React.')
    const meant = origin && !['*', 'default'].includes(origin.name) ? origin.name : last
    if (isReact && ELEMENT_CALLS.has(meant)) rendered()
    else if (isReact && WRAPPERS.has(meant)) components.add(givenName(call) ?? DEFAULT)
    else if (isReact && meant === 'createClass') components.add(givenName(call) ?? DEFAULT)
    else if (isVueCall(name, origin?.module)) tags.add('vue-component')
  }

  function hooked(): void {
    for (const scope of scopes.toReversed()) {
      scope.hooks = true
      if (scope.name !== undefined && (isHookName(scope.name) || isComponentName(scope.name))) return
    }
  }

  function declared(node: Class): void {
    const above = superName(node)
    if (above !== undefined) {
      const origin = originOf(above, uses)
      const isReact = origin ? REACT.test(origin.module) : above.startsWith('React.')
      const meant =
        origin && !/^(\*|default)$/.test(origin.name) ? origin.name : above.slice(above.lastIndexOf('.') + 1)
      if (isReact && /^(Pure)?Component$/.test(meant)) components.add(node.id?.name ?? givenName(node) ?? DEFAULT)
    }
    for (const { expression } of node.decorators) {
      const name = dottedName(expression.type === 'CallExpression' ? expression.callee : expression)
      const origin = name === undefined ? undefined : originOf(name, uses)
      if (origin?.module === '@angular/core' && Object.hasOwn(ANGULAR, origin.name))
        tags.add(ANGULAR[origin.name] ?? '')
      else if (origin && /^vue-(class-component|facing-decorator|property-decorator)$/.test(origin.module))
        tags.add('vue-component')
    }
  }

  /** The tree does not say what a class extends. */
  function superName({ id, typeParameters, start, body }: Class): string | undefined {
    return /\bextends\s+([\w$.]+)/.exec(text.slice((typeParameters ?? id)?.end ?? start, body.start))?.[1]
  }

  function givenName(value: Syntax): string | undefined {
    return given?.value === value ? given.name : undefined
  }
}

/** Stands for a component without a name of its own. */
const DEFAULT = 'Default export'

const isOtherJsx = (module: string): boolean => OTHER_JSX.test(module)
const isComponentName = (name: string): boolean => /^\p{Lu}/u.test(name)
const isHookName = (name: string): boolean => /^use[\p{Lu}\d]/u.test(name)
const isVueCall = (name: string, module: string | undefined): boolean =>
  (/^(defineComponent|defineAsyncComponent|defineCustomElement)$/.test(name) &&
    module !== undefined &&
    /^(vue|@vue\/.*|#imports|#app)$/.test(module)) ||
  (/^Vue\.(extend|component|defineComponent)$/.test(name) && (module === undefined || module === 'vue'))
