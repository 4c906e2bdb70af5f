import { parseSync, type ParserOptions } from 'oxc-parser'
import type { SyntaxTree } from './syntax-tree.ts'
import type { Program, Visitor } from './syntax.ts'

type Piece = Record<string, unknown> & { type: string }

/** The same tree, all of it made at once and put into the parser's own words: for systems that cannot look at pieces. */
export function wholeTree(path: string, text: string, options: ParserOptions): SyntaxTree {
  const { program, errors } = parseSync(path, text, options)
  const root: unknown = program
  if (isPiece(root)) reshape(root)
  return {
    program: root as Program,
    hasErrors: errors.length > 0,
    gaveUpAt: program.body.length === 0 ? errors[0]?.labels[0]?.start : undefined,
    visit: visitor => isPiece(root) && walk(root, visitor as Record<string, ((node: Piece) => void) | undefined>),
    letGo() {},
  }
}

function walk(piece: Piece, visitor: Record<string, ((node: Piece) => void) | undefined>): void {
  const kind = VISITED_AS[piece.type] ?? piece.type
  visitor[kind]?.(piece)
  for (const child of inside(piece)) walk(child, visitor)
  visitor[`${kind}:exit`]?.(piece)
}

const VISITED_AS: Readonly<Record<string, keyof Visitor>> = {
  FunctionDeclaration: 'Function',
  FunctionExpression: 'Function',
  TSDeclareFunction: 'Function',
  TSEmptyBodyFunctionExpression: 'Function',
  ClassDeclaration: 'Class',
  ClassExpression: 'Class',
  TSAbstractMethodDefinition: 'MethodDefinition',
  TSAbstractPropertyDefinition: 'PropertyDefinition',
}

function reshape(piece: Piece): void {
  RESHAPED[piece.type]?.(piece)
  for (const child of inside(piece)) reshape(child)
}

const RESHAPED: Readonly<Record<string, (piece: Piece) => void>> = {
  Identifier: piece => void (piece.type = 'IdentifierReference'),
  Literal(piece) {
    const { value } = piece
    if (typeof value === 'string') piece.type = 'StringLiteral'
    else if (typeof value === 'number') piece.type = 'NumericLiteral'
  },
  MemberExpression(piece) {
    const isPrivate = isPiece(piece['property']) && piece['property'].type === 'PrivateIdentifier'
    piece.type = piece['computed']
      ? 'ComputedMemberExpression'
      : isPrivate
        ? 'PrivateFieldExpression'
        : 'StaticMemberExpression'
  },
  ObjectExpression(piece) {
    for (const each of pieces(piece['properties'])) if (each.type === 'Property') each.type = 'ObjectProperty'
  },
  ObjectPattern(piece) {
    const kept = pieces(piece['properties']).filter(({ type }) => type !== 'RestElement')
    for (const each of kept) each.type = 'BindingProperty'
    piece['properties'] = kept
  },
  ArrayPattern(piece) {
    const { elements } = piece
    if (Array.isArray(elements))
      piece['elements'] = elements.filter(each => !isPiece(each) || each.type !== 'RestElement')
  },
  FunctionDeclaration: parameters,
  FunctionExpression: parameters,
  TSDeclareFunction: parameters,
  TSEmptyBodyFunctionExpression: parameters,
  ArrowFunctionExpression: parameters,
  ExportNamedDeclaration(piece) {
    if (piece['declaration']) piece.type = 'ExportDeclaration'
    else if (piece['source']) piece.type = 'ExportFromDeclaration'
  },
  TSModuleDeclaration(piece) {
    const { id, kind, body } = piece
    if (kind === 'global') piece.type = 'TSGlobalDeclaration'
    else if (isPiece(id) && id.type === 'Literal') piece.type = 'TSExternalModuleDeclaration'
    else {
      piece.type = 'TSNamespaceDeclaration'
      if (!isPiece(id) || id.type !== 'TSQualifiedName') return
      const names = parts(id)
      piece['id'] = names[0]
      piece['body'] = names
        .slice(1)
        .reduceRight<unknown>((inner, name) => ({ ...piece, type: 'TSModuleDeclaration', id: name, body: inner }), body)
    }
  },
}

/** `A.B.C` */
const parts = (name: Piece): Piece[] =>
  name.type === 'TSQualifiedName' ? [name['left'], name['right']].filter(isPiece).flatMap(parts) : [name]

function parameters(piece: Piece): void {
  piece['params'] = { items: pieces(piece['params']).map(each => ({ type: 'FormalParameter', pattern: each })) }
}

const pieces = (list: unknown): Piece[] => (Array.isArray(list) ? list.filter(isPiece) : [])

function* inside(piece: Piece): Generator<Piece> {
  for (const value of Object.values(piece)) {
    if (isPiece(value)) yield value
    else if (Array.isArray(value)) yield* value.filter(isPiece)
    else if (typeof value === 'object' && value !== null && 'items' in value) yield* pieces(value.items)
  }
}

const isPiece = (value: unknown): value is Piece =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
