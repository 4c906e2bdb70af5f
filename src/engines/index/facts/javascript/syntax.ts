/** A piece of code with its place in the text. */
interface Place {
  readonly start: number
  readonly end: number
}

type Kind<Called extends string, Fields = unknown> = Place & { readonly type: Called } & Fields

export type Name = Kind<'IdentifierName' | 'IdentifierReference' | 'BindingIdentifier', { readonly name: string }>
export type Text = Kind<'StringLiteral', { readonly value: string }>
export type Member = Kind<
  'StaticMemberExpression' | 'ComputedMemberExpression' | 'PrivateFieldExpression',
  { readonly object: Syntax; readonly property: Syntax }
>
export type Call = Kind<'CallExpression', { readonly callee: Syntax; readonly arguments: readonly Syntax[] }>
export type Literal = Kind<'ObjectExpression', { readonly properties: readonly Syntax[] }>
export type Assignment = Kind<
  'AssignmentExpression',
  { readonly operator: string; readonly left: Syntax; readonly right: Syntax }
>
export type Declarator = Kind<'VariableDeclarator', { readonly id: Syntax; readonly init: Syntax | null }>
export type Variables = Kind<'VariableDeclaration', { readonly declarations: readonly Declarator[] }>
export type Func = Kind<
  'FunctionDeclaration' | 'FunctionExpression' | 'TSDeclareFunction' | 'TSEmptyBodyFunctionExpression',
  { readonly id: Name | null; readonly params: Parameters }
>
export type Arrow = Kind<'ArrowFunctionExpression', { readonly params: Parameters }>
interface Parameters {
  readonly items: readonly { readonly pattern: Syntax }[]
}
export type Class = Kind<
  'ClassDeclaration' | 'ClassExpression',
  {
    readonly id: Name | null
    readonly typeParameters: Place | null
    readonly decorators: readonly Decorator[]
    readonly body: Place
  }
>
export type Decorator = Kind<'Decorator', { readonly expression: Syntax }>
interface Keyed {
  readonly key: Syntax
  readonly computed: boolean
}
interface Decorated extends Keyed {
  readonly decorators: readonly Decorator[]
}
export type Method = Kind<'MethodDefinition' | 'TSAbstractMethodDefinition', Decorated>
export type Property = Kind<
  'PropertyDefinition' | 'TSAbstractPropertyDefinition',
  Decorated & { readonly value: Syntax | null }
>
export type Entry = Kind<'ObjectProperty' | 'BindingProperty', Keyed & { readonly value: Syntax }>
export type Interface = Kind<
  'TSInterfaceDeclaration',
  { readonly id: Name; readonly body: { readonly body: readonly Syntax[] } }
>
export type Alias = Kind<'TSTypeAliasDeclaration', { readonly id: Name; readonly typeAnnotation: Syntax }>
export type Enum = Kind<'TSEnumDeclaration', { readonly id: Name }>
export type Block = Kind<'TSModuleBlock', { readonly body: readonly Syntax[] }>
export type Namespace = Kind<'TSNamespaceDeclaration', { readonly id: Name; readonly body: Namespace | Block }>
export type ForeignModule = Kind<'TSExternalModuleDeclaration', { readonly id: Text }>
export type Global = Kind<'TSGlobalDeclaration'>
export type ImportEquals = Kind<
  'TSImportEqualsDeclaration',
  { readonly id: Name; readonly moduleReference: { readonly type: string; readonly expression?: Syntax } }
>
/** The name under which something is exported or imported. */
export type ModuleName = Name | Text
export type ExportSpecifier = Kind<'ExportSpecifier', { readonly local: ModuleName; readonly exported: ModuleName }>
export type ExportDefault = Kind<'ExportDefaultDeclaration', { readonly declaration: Syntax }>
export type ExportDeclaration = Kind<'ExportDeclaration', { readonly declaration: Syntax }>
export type Tagged = Kind<'TaggedTemplateExpression', { readonly tag: Syntax }>
export type Markup = Kind<'JSXElement' | 'JSXFragment'>

/** What is looked at of the tree that oxc's parser makes, in its own words. Other kinds are there too, and passed over. */
export type Syntax =
  | Name
  | Text
  | Member
  | Call
  | Literal
  | Assignment
  | Declarator
  | Variables
  | Func
  | Arrow
  | Class
  | Method
  | Property
  | Entry
  | Interface
  | Alias
  | Enum
  | Block
  | Namespace
  | ForeignModule
  | Global
  | ImportEquals
  | ExportSpecifier
  | ExportDefault
  | ExportDeclaration
  | Tagged
  | Markup
  | Kind<'PrivateIdentifier', { readonly name: string }>
  | Kind<'NumericLiteral', { readonly value: number }>
  | Kind<'TemplateLiteral'>
  | Kind<'SpreadElement', { readonly argument: Syntax }>
  | Kind<'SequenceExpression', { readonly expressions: readonly Syntax[] }>
  | Kind<
      'TSNonNullExpression' | 'TSInstantiationExpression' | 'TSAsExpression' | 'TSSatisfiesExpression',
      { readonly expression: Syntax }
    >
  | Kind<'ObjectPattern', { readonly properties: readonly (Entry | null)[] }>
  | Kind<'ArrayPattern', { readonly elements: readonly (Syntax | null)[] }>
  | Kind<'AssignmentPattern', { readonly left: Syntax }>
  | Kind<'TSMethodSignature', Keyed>
  | Kind<'TSTypeLiteral', { readonly members: readonly Syntax[] }>
  | Kind<'TSIntersectionType' | 'TSUnionType', { readonly types: readonly Syntax[] }>
  | Kind<'ImportDeclaration', { readonly source: Text; readonly specifiers: readonly ImportSpecifier[] | null }>
  | Kind<'ExportNamedDeclaration', { readonly specifiers: readonly ExportSpecifier[] }>
  | Kind<'ExportFromDeclaration', { readonly specifiers: readonly ExportSpecifier[] }>
  | Kind<'ExportAllDeclaration', { readonly exported: ModuleName | null; readonly source: Text }>
  | Kind<'TSExportAssignment', { readonly expression: Syntax }>
  | Kind<'TSNamespaceExportDeclaration'>

export type ImportSpecifier =
  | Kind<'ImportSpecifier', { readonly imported: ModuleName; readonly local: Name }>
  | Kind<'ImportDefaultSpecifier' | 'ImportNamespaceSpecifier', { readonly local: Name }>

export type Program = Kind<'Program', { readonly body: readonly Syntax[] }>

/** What is visited, by the name of its kind. */
export interface Visited {
  Function: Func
  ArrowFunctionExpression: Arrow
  Class: Class
  VariableDeclaration: Variables
  VariableDeclarator: Declarator
  MethodDefinition: Method
  PropertyDefinition: Property
  ObjectProperty: Entry
  TSInterfaceDeclaration: Interface
  TSTypeAliasDeclaration: Alias
  TSEnumDeclaration: Enum
  TSNamespaceDeclaration: Namespace
  TSExternalModuleDeclaration: ForeignModule
  TSGlobalDeclaration: Global
  ExportDeclaration: ExportDeclaration
  ExportDefaultDeclaration: ExportDefault
  AssignmentExpression: Assignment
  CallExpression: Call
  TaggedTemplateExpression: Tagged
  JSXElement: Markup
  JSXFragment: Markup
}

/** Looks at pieces of some kinds on the way down, and with `:exit` on the way up. */
export type Visitor = {
  readonly [Each in keyof Visited]?: (node: Visited[Each]) => void
} & {
  readonly [Each in keyof Visited as `${Each}:exit`]?: (node: Visited[Each]) => void
}

export const isName = (node: Syntax): node is Name =>
  node.type === 'IdentifierReference' || node.type === 'BindingIdentifier' || node.type === 'IdentifierName'

export const isMemberExpression = (node: Syntax): node is Member =>
  node.type === 'StaticMemberExpression' ||
  node.type === 'ComputedMemberExpression' ||
  node.type === 'PrivateFieldExpression'

export const isFunction = (node: Syntax): node is Func | Arrow =>
  node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression' || node.type === 'FunctionDeclaration'

export const isClass = (node: Syntax): node is Class =>
  node.type === 'ClassExpression' || node.type === 'ClassDeclaration'
