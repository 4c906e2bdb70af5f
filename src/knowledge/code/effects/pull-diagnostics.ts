import { hash } from 'node:crypto'
import { LANGUAGES } from '../../../languages/registry.ts'
import type { CodeFault } from '../../../kernel/edit-effects.ts'
import { deadlineIn } from '../servers/deadline.ts'
import { SEVERITY, type Diagnostic, type Range } from '../servers/lsp-schemas.ts'
import type { StagedTexts } from '../servers/staged-texts.ts'
import type { Servers } from '../servers/types.ts'
import type { Overlay } from './types.ts'

/** A busy machine is slow, and only callers that asked to wait do so. */
const PATIENCE_MS = 120_000
const LONGEST_MESSAGE = 400
const AT_ONCE = 4

interface Pull {
  readonly servers: Servers
  readonly root: string
  readonly paths: readonly string[]
  readonly overlay: Overlay
  readonly signal: AbortSignal
  textOf(path: string): string | undefined
}

/**
 * Returns the errors of files with these texts over the workspace, at least of the first one: waiting questions go
 * first. Returns undefined if the server cannot be asked for diagnostics.
 */
export async function pullDiagnostics(pull: Pull): Promise<ReadonlyMap<string, readonly CodeFault[]> | undefined> {
  const { servers, root, paths, overlay, signal, textOf } = pull
  const [first] = paths
  if (first === undefined) return new Map()
  return servers.ask(first, textsOf(overlay), deadlineIn(PATIENCE_MS, signal, { isBackground: true }), async server => {
    if (!server.can('diagnostic')) return undefined
    const diagnosticsByPath: (readonly [string, readonly Diagnostic[]])[] = []
    for (let at = 0; at < paths.length && !(at > 0 && server.isAwaited()); at += AT_ONCE) {
      const some = paths.slice(at, at + AT_ONCE)
      diagnosticsByPath.push(
        ...(await Promise.all(some.map(async path => [path, await server.diagnostics(path)] as const))),
      )
    }
    const { codePrefix = '', hasNoWarnings } = LANGUAGES.find(each => each.server?.name === server.name)?.server ?? {}
    // A compiler has no warnings: its server shows an error of a project option as one.
    const mildest = hasNoWarnings ? SEVERITY.warning : SEVERITY.error
    return new Map(diagnosticsByPath.map(([path, found]) => [path, found.flatMap(one => diagnosticOf(one, path))]))

    function diagnosticOf({ range, severity, code, message }: Diagnostic, path: string): CodeFault[] {
      if ((severity ?? SEVERITY.error) > mildest) return []
      const { line, character } = range.start
      const place = { path, line: line + 1, column: character + 1 }
      const words = message.replaceAll(`${root}/`, '')
      const codeName = code === undefined || code === null ? server.name : `${codePrefix}${code}`
      if (codeName === EMPTY && isGone(overlay, words)) return [{ ...place, ...missing(textOf(path), range) }]
      return [{ ...place, code: codeName, message: shortenMessage(words) }]
    }
  })
}

/** A server sees a removed file as an empty one, but the compiler will not find it. */
const EMPTY = 'TS2306'

const isGone = (overlay: Overlay, message: string): boolean => {
  const file = /'([^']+)'/.exec(message)?.[1] ?? ''
  return Object.entries(overlay).some(([path, text]) => text === null && (file === path || file.startsWith(`${path}/`)))
}

function missing(text: string | undefined, { start, end }: Range): Pick<CodeFault, 'code' | 'message'> {
  const line = text?.split('\n')[start.line] ?? ''
  const specifier = line.slice(start.character, end.character).replaceAll(/^['"]|['"]$/g, '')
  if (/\bdeclare\s+module\s*$/.test(line.slice(0, start.character)))
    return { code: 'TS2664', message: `Invalid module name in augmentation, module '${specifier}' cannot be found.` }
  return { code: 'TS2307', message: `Cannot find module '${specifier}' or its corresponding type declarations.` }
}

const shortenMessage = (message: string): string =>
  message.length <= LONGEST_MESSAGE ? message : `${message.slice(0, LONGEST_MESSAGE)}…`

/** Equal texts have equal keys, so that questions about the same texts run in parallel. */
function textsOf(overlay: Overlay): StagedTexts {
  const entries = Object.entries(overlay).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return {
    key: entries.length === 0 ? '' : hash('sha256', JSON.stringify(entries)),
    texts: new Map(entries.map(([path, text]) => [path, text ?? undefined])),
  }
}
