import type * as lsp from 'vscode-languageserver-protocol'
import { z } from 'zod'

/** Compiles only if the schema accepts every value that the protocol allows. */
const accepting =
  <Protocol>() =>
  <Schema extends z.ZodType>(schema: [Protocol] extends [z.input<Schema>] ? Schema : never): Schema =>
    schema

/** The messages of the language server protocol that we use. Validated on arrival: a server is a foreign program. */
const position = accepting<lsp.Position>()(z.object({ line: z.int().min(0), character: z.int().min(0) }))
const range = z.object({ start: position, end: position })
const location = accepting<lsp.Location>()(z.object({ uri: z.string(), range }))
const link = accepting<lsp.LocationLink>()(z.object({ targetUri: z.string(), targetSelectionRange: range }))

export type Position = z.output<typeof position>
export type Range = z.output<typeof range>
export type Location = z.output<typeof location>

/** One symbol of a file with its children. */
export interface OutlineSymbol {
  readonly name: string
  readonly kind: number
  readonly range: Range
  readonly selectionRange: Range
  readonly children?: readonly OutlineSymbol[] | null | undefined
}

const outlineSymbol: z.ZodType<OutlineSymbol> = z.object({
  name: z.string(),
  kind: z.int(),
  range,
  selectionRange: range,
  get children() {
    return z.array(outlineSymbol).nullish()
  },
})
const flat = z.object({ name: z.string(), kind: z.int(), location, containerName: z.string().nullish() })

const diagnostic = z.object({
  range,
  severity: z.int().nullish(),
  code: z.union([z.string(), z.number()]).nullish(),
  message: z.union([z.string(), z.object({ value: z.string() }).transform(({ value }) => value)]),
})

/** One problem that a server reports in a file. */
export type Diagnostic = z.output<typeof diagnostic>

/** Diagnostics that a server pushes for a document. */
export const publishedDiagnostics = accepting<lsp.PublishDiagnosticsParams>()(
  z.object({
    uri: z.string(),
    version: z.int().nullish(),
    diagnostics: z.array(diagnostic),
  }),
)

const locations = accepting<lsp.Definition | lsp.LocationLink[] | null>()(
  z.union([location, z.array(z.union([location, link]))]).nullish(),
)

const textEdits = z.array(z.object({ range, newText: z.string() }))
/** With `kind`, also creates, moves or removes a file. */
const documentChange = z.object({
  kind: z.string().optional(),
  textDocument: z.object({ uri: z.string() }).optional(),
  edits: textEdits.optional(),
})
/** Servers send snippets only to clients that announce support, which we do not. */
type PlainEdits = Omit<lsp.TextDocumentEdit, 'edits'> & { edits: (lsp.TextEdit | lsp.AnnotatedTextEdit)[] }
type PlainWorkspaceEdit = Omit<lsp.WorkspaceEdit, 'documentChanges'> & {
  documentChanges?: (PlainEdits | lsp.CreateFile | lsp.RenameFile | lsp.DeleteFile)[]
}

const workspaceEdit = accepting<PlainWorkspaceEdit | null>()(
  z
    .object({
      changes: z.record(z.string(), textEdits).nullish(),
      documentChanges: z.array(documentChange).nullish(),
    })
    .nullish(),
)

/** A change that a server proposes for a file. */
export interface ServerEdit extends Location {
  readonly text: string
}

const markedText = z.union([z.string(), z.object({ value: z.string() }).transform(({ value }) => value)])

export const ANSWERS = {
  initialize: z.object({ capabilities: z.record(z.string(), z.unknown()) }),
  outline: accepting<lsp.DocumentSymbol[] | lsp.SymbolInformation[] | null>()(
    z.union([z.array(outlineSymbol), z.array(flat)]).nullish(),
  ),
  locations,
  // Items may be missing if a file has not changed since the last question; we ask without a last question.
  diagnostics: accepting<lsp.RelatedFullDocumentDiagnosticReport>()(
    z.object({ items: z.array(diagnostic).optional() }).nullish(),
  ),
  hover: accepting<lsp.Hover | null>()(z.object({ contents: z.union([markedText, z.array(markedText)]) }).nullish()),
  workspaceEdit,
  anything: z.unknown(),
} as const

/** Severities of diagnostics by their numbers in the protocol. */
export const SEVERITY = { error: 1, warning: 2, information: 3, hint: 4 } as const satisfies Readonly<
  Record<string, lsp.DiagnosticSeverity>
>

/** Removes duplicates: servers repeat themselves. */
export function placesOf(answer: z.output<typeof locations>): Location[] {
  const list = answer === null || answer === undefined ? [] : Array.isArray(answer) ? answer : [answer]
  const places = list.map(one => ('uri' in one ? one : { uri: one.targetUri, range: one.targetSelectionRange }))
  return [...new Map(places.map(place => [`${place.uri} ${rangeKey(place.range)}`, place])).values()]
}

/** Removes duplicates. Returns undefined if the edit changes more than texts. */
export function editsOf(answer: z.output<typeof workspaceEdit>): readonly ServerEdit[] | undefined {
  const { changes, documentChanges } = answer ?? {}
  if (documentChanges?.some(({ kind }) => kind !== undefined)) return undefined
  const files = [
    ...Object.entries(changes ?? {}),
    ...(documentChanges ?? []).map(({ textDocument, edits }) => [textDocument?.uri ?? '', edits ?? []] as const),
  ]
  const all = files.flatMap(([uri, edits]) => edits.map(each => ({ uri, range: each.range, text: each.newText })))
  return [...new Map(all.map(edit => [`${edit.uri} ${rangeKey(edit.range)} ${edit.text}`, edit])).values()]
}

export const rangeKey = ({ start, end }: Range): string =>
  `${start.line}:${start.character}-${end.line}:${end.character}`

/** Reports whether the second range lies in the first. */
export const holds = (outer: Range, inner: Range): boolean =>
  !isBefore(inner.start, outer.start) && !isBefore(outer.end, inner.end)

const isBefore = (one: Position, other: Position): boolean =>
  one.line < other.line || (one.line === other.line && one.character < other.character)

/** Kinds of symbols by their numbers in the protocol. */
export const KIND = {
  module: 2,
  namespace: 3,
  package: 4,
  class: 5,
  method: 6,
  property: 7,
  field: 8,
  constructor: 9,
  enum: 10,
  interface: 11,
  function: 12,
  variable: 13,
  constant: 14,
  object: 19,
  struct: 23,
} as const satisfies Readonly<Record<string, lsp.SymbolKind>>

/** The outline of a file as a tree; a flat list becomes a tree without branches. */
export const outlineOf = (answer: z.output<typeof ANSWERS.outline>): readonly OutlineSymbol[] =>
  (answer ?? []).map(one =>
    'location' in one
      ? { name: one.name, kind: one.kind, range: one.location.range, selectionRange: one.location.range }
      : one,
  )

/** The capabilities that we announce to a server. */
export const CAPABILITIES = {
  workspace: {
    configuration: true,
    workspaceFolders: true,
    didChangeWatchedFiles: { dynamicRegistration: true },
  },
  textDocument: {
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    synchronization: {},
    references: {},
    definition: { linkSupport: true },
    implementation: { linkSupport: true },
    diagnostic: { dynamicRegistration: false },
  },
  window: { workDoneProgress: true },
  general: { positionEncodings: ['utf-16'] },
} satisfies lsp.ClientCapabilities
