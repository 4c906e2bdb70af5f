import type { CallExpression, Class, Node } from 'oxc-parser'
import { dottedName, memberName } from '../names.ts'
import type { Watcher } from '../reading.ts'
import { originOf, type Imported, type Origin } from './imported.ts'

/** The facts that decide a file's tags. */
export interface TagContext {
  /** Local names that are exported. */
  readonly locals: ReadonlySet<string>
  readonly hasDefault: boolean
  readonly kinds: ReadonlySet<string>
}

interface ComponentTags extends Watcher {
  tags(context: TagContext): ReadonlySet<string>
}

const REACT = /^(react|react\/.*|preact\/compat)$/
/** Modules whose JSX is not React's. */
const OTHER_JSX =
  /^(vue|vue\/.*|@vue\/.*|solid-js|solid-js\/.*|@builder\.io\/qwik|@stencil\/core|preact|preact\/(?!compat).*|hono\/jsx.*)$/
const ELEMENT_CALLS = new Set(['createElement', 'cloneElement', 'jsx', 'jsxs', 'jsxDEV'])
const WRAPPERS = new Set(['memo', 'forwardRef', 'lazy'])
/** Modules whose default, or whose `styled`, makes a component of an element or of another component. */
const STYLED = /^(styled-components|@emotion\/styled|@linaria\/react|goober)(\/.*)?$/
/** Modules with bases and decorators of custom elements. */
const ELEMENTS = /^(lit|lit-element|lit-html|@polymer\/.*|@microsoft\/fast-element|@stencil\/core|lit\/.*|@lit\/.*)$/
const ANGULAR: Readonly<Record<string, string>> = {
  Component: 'angular-component',
  Directive: 'angular-directive',
  Injectable: 'angular-service',
  NgModule: 'angular-module',
  Pipe: 'angular-pipe',
}

interface Scope {
  readonly name: string | undefined
  renders: boolean
  hooks: boolean
}

/** Finds components and hooks by the contents of functions and classes. */
export function componentTags(uses: Imported): ComponentTags {
  const tags = new Set<string>()
  const components = new Set<string>()
  const hooks = new Set<string>()
  const scopes: Scope[] = []
  const speaksJsx = [...uses.modules].some(module => REACT.test(module)) || ![...uses.modules].some(isOtherJsx)
  /** A value that its parent node has just named. */
  let namedValue: { readonly value: Node; readonly name: string | undefined } | undefined

  return {
    enter(node) {
      const name = (node.type === 'ArrowFunctionExpression' ? undefined : node.id?.name) ?? givenName(node)
      scopes.push({ name, renders: false, hooks: false })
    },
    leave() {
      const scope = scopes.pop()
      if (scope?.name === undefined) return
      if (scope.renders && isComponentName(scope.name)) components.add(scope.name)
      if (scope.hooks && isHookName(scope.name)) hooks.add(scope.name)
    },
    markup() {
      if (speaksJsx) markRenderer()
    },
    call: visitCall,
    tagged(node) {
      if (isStyled(node.tag, uses)) addStyled(node)
    },
    class: visitClass,
    declarator({ id, init }) {
      if (init && id.type === 'Identifier') namedValue = { value: init, name: id.name }
    },
    assignment({ left, right }) {
      if (left.type !== 'MemberExpression') return
      const name = memberName(left)
      namedValue = { value: right, name: name === 'exports' ? DEFAULT : name }
    },
    exportDefault({ declaration }) {
      namedValue = { value: declaration, name: DEFAULT }
    },
    tags({ locals, hasDefault, kinds }) {
      // Components that tests and stories render do not make those files components.
      const isOnlyUser = kinds.has('test') || kinds.has('story')
      const isExportedComponent = [...components].some(name => locals.has(name) || (name === DEFAULT && hasDefault))
      if (kinds.has('story') ? false : isOnlyUser ? isExportedComponent : components.size > 0)
        tags.add('react-component')
      if ([...hooks].some(name => locals.has(name))) tags.add('hook')
      return tags
    },
  }

  function markRenderer(): void {
    mark(scopes, 'renders', isComponentName)
  }

  function addStyled(value: Node): void {
    const name = givenName(value) ?? DEFAULT
    if (isComponentName(name)) components.add(name)
  }

  function visitCall(call: CallExpression, _at: unknown, name: string | undefined): void {
    if (isStyled(call.callee, uses)) addStyled(call)
    if (name === undefined) return
    if (DEFINES_ELEMENT.test(name)) tags.add('web-component')
    const origin = originOf(name, uses)
    const last = name.slice(name.lastIndexOf('.') + 1)
    if (isHookName(last) || (last === 'use' && origin !== undefined && REACT.test(origin.module)))
      mark(scopes, 'hooks', each => isHookName(each) || isComponentName(each))
    const reactName = nameInReact(name, origin)
    if (reactName === undefined) {
      if (isVueCall(name, origin?.module)) tags.add('vue-component')
    } else if (ELEMENT_CALLS.has(reactName)) markRenderer()
    else if (WRAPPERS.has(reactName) || reactName === 'createClass') components.add(givenName(call) ?? DEFAULT)
  }

  function visitClass(node: Class): void {
    const above = node.superClass ? dottedName(node.superClass) : undefined
    const baseName = above === undefined ? undefined : nameInReact(above, originOf(above, uses))
    if (baseName === 'Component' || baseName === 'PureComponent')
      components.add(node.id?.name ?? givenName(node) ?? DEFAULT)
    if (above !== undefined && isElement(above, originOf(above, uses))) tags.add('web-component')
    for (const { expression } of node.decorators) {
      const name = dottedName(expression.type === 'CallExpression' ? expression.callee : expression)
      const origin = name === undefined ? undefined : originOf(name, uses)
      if (origin?.module === '@angular/core' && Object.hasOwn(ANGULAR, origin.name))
        tags.add(ANGULAR[origin.name] ?? '')
      else if (origin && ELEMENTS.test(origin.module) && /^(customElement|Component)$/.test(origin.name))
        tags.add('web-component')
      else if (origin && /^vue-(class-component|facing-decorator|property-decorator)$/.test(origin.module))
        tags.add('vue-component')
    }
  }

  function givenName(value: Node): string | undefined {
    return namedValue?.value === value ? namedValue.name : undefined
  }
}

/** Marks every enclosing function, up to the first one that qualifies itself. */
function mark(scopes: readonly Scope[], what: 'renders' | 'hooks', isMeant: (name: string) => boolean): void {
  for (const scope of scopes.toReversed()) {
    scope[what] = true
    if (scope.name !== undefined && isMeant(scope.name)) return
  }
}

/** Reports whether this is `styled.div`, `styled(Other)` or a longer form of them. */
function isStyled(maker: Node, uses: Imported): boolean {
  if (maker.type === 'MemberExpression') return isStyled(maker.object, uses) || isStyledName(maker.object, uses)
  return maker.type === 'CallExpression' && (isStyled(maker.callee, uses) || isStyledName(maker.callee, uses))
}

function isStyledName(node: Node, uses: Imported): boolean {
  const origin = node.type === 'Identifier' ? uses.names.get(node.name) : undefined
  return origin !== undefined && STYLED.test(origin.module) && /^(default|styled|\*)$/.test(origin.name)
}

/** Stands for a component without a name of its own. */
const DEFAULT = 'Default export'

/** The name of an import in React; undefined if it is not from React. */
function nameInReact(name: string, origin: Origin | undefined): string | undefined {
  if (origin ? !REACT.test(origin.module) : !name.startsWith('React.')) return undefined
  return origin && !/^(\*|default)$/.test(origin.name) ? origin.name : name.slice(name.lastIndexOf('.') + 1)
}

/** A custom element, or a library's wrapper of one. */
const isElement = (name: string, origin: Origin | undefined): boolean =>
  origin
    ? ELEMENTS.test(origin.module) && /^(LitElement|PolymerElement|FASTElement)$/.test(origin.name)
    : /^(window\.|globalThis\.)?HTML\w*Element$/.test(name)

const DEFINES_ELEMENT = /^(window\.|globalThis\.)?customElements\.define$/

const isOtherJsx = (module: string): boolean => OTHER_JSX.test(module)
const isComponentName = (name: string): boolean => /^\p{Lu}/u.test(name)
// Runs for every call: the prefix is a cheap test.
const isHookName = (name: string): boolean => name.startsWith('use') && /^use[\p{Lu}\d]/u.test(name)
const isVueCall = (name: string, module: string | undefined): boolean =>
  (name.startsWith('define') &&
    /^(defineComponent|defineAsyncComponent|defineCustomElement)$/.test(name) &&
    module !== undefined &&
    /^(vue|@vue\/.*|#imports|#app)$/.test(module)) ||
  (name.startsWith('Vue.') &&
    /^Vue\.(extend|component|defineComponent)$/.test(name) &&
    (module === undefined || module === 'vue'))
