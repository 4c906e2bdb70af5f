import type { Class, Node } from 'oxc-parser'
import { keyName } from './binding-names.ts'
import { dottedName, originOf } from './callee.ts'
import type { Imported } from './imported.ts'
import type { TagVisitor } from './tag-visitor.ts'

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
  readonly node: Node
  readonly name: string | undefined
  renders: boolean
  hooks: boolean
}

/** Finds components and hooks by what functions and classes do. */
export function componentTags(uses: Imported): TagVisitor {
  const tags = new Set<string>()
  const components = new Set<string>()
  const hooks = new Set<string>()
  const scopes: Scope[] = []
  const speaksJsx = [...uses.modules].some(module => REACT.test(module)) || ![...uses.modules].some(isOtherJsx)

  return {
    enter(node, parent) {
      if (isFunction(node)) scopes.push({ node, name: functionName(node, parent), renders: false, hooks: false })
      else if (node.type === 'JSXElement' || node.type === 'JSXFragment') {
        if (speaksJsx) rendered()
      } else if (node.type === 'CallExpression') called(node.callee, parent)
      else if (node.type === 'ClassDeclaration' || node.type === 'ClassExpression') declared(node, parent)
    },
    leave(node) {
      const scope = scopes.at(-1)
      if (scope?.node !== node) return
      scopes.pop()
      if (scope.renders && scope.name !== undefined && isComponentName(scope.name)) components.add(scope.name)
      if (scope.hooks && scope.name !== undefined && isHookName(scope.name)) hooks.add(scope.name)
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

  function called(callee: Node, parent: Node | undefined): void {
    const name = dottedName(callee)
    if (name === undefined) return
    const origin = originOf(name, uses)
    const last = name.slice(name.lastIndexOf('.') + 1)
    if (isHookName(last) || (last === 'use' && origin !== undefined && REACT.test(origin.module))) hooked()
    const isReact = origin ? REACT.test(origin.module) : name.startsWith('React.')
    const meant = origin && !['*', 'default'].includes(origin.name) ? origin.name : last
    if (isReact && ELEMENT_CALLS.has(meant)) rendered()
    else if (isReact && WRAPPERS.has(meant)) components.add(variableName(parent) ?? DEFAULT)
    else if (isReact && meant === 'createClass') components.add(variableName(parent) ?? DEFAULT)
    else if (isVueCall(name, origin?.module)) tags.add('vue-component')
  }

  function hooked(): void {
    for (const scope of scopes.toReversed()) {
      scope.hooks = true
      if (scope.name !== undefined && (isHookName(scope.name) || isComponentName(scope.name))) return
    }
  }

  function declared(node: Class, parent: Node | undefined): void {
    const above = node.superClass ? dottedName(node.superClass) : undefined
    if (above !== undefined) {
      const origin = originOf(above, uses)
      const isReact = origin ? REACT.test(origin.module) : above.startsWith('React.')
      if (
        isReact &&
        /^(Pure)?Component$/.test(
          origin && !/^(\*|default)$/.test(origin.name) ? origin.name : above.slice(above.lastIndexOf('.') + 1),
        )
      )
        components.add(node.id?.name ?? variableName(parent) ?? DEFAULT)
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

const isFunction = (node: Node): boolean =>
  node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression'

function functionName(node: Node, parent: Node | undefined): string | undefined {
  if ('id' in node && node.id?.type === 'Identifier') return node.id.name
  if (parent?.type === 'ExportDefaultDeclaration') return DEFAULT
  return variableName(parent)
}

/** The name that a value is given by what stands around it. */
function variableName(parent: Node | undefined): string | undefined {
  if (parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier') return parent.id.name
  if (parent?.type === 'AssignmentExpression' && parent.left.type === 'MemberExpression') {
    const name = keyName(parent.left.property, parent.left.computed)
    return name === 'exports' ? DEFAULT : name
  }
  return parent?.type === 'ExportDefaultDeclaration' ? DEFAULT : undefined
}
