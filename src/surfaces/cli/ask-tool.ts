import { referenceId } from '../../kernel/reference.ts'
import type { Code, ToolError } from '../../kernel/error.ts'
import { inert } from '../../kernel/inert.ts'
import { jsonLine } from '../../kernel/json-line.ts'
import type { Outcome } from '../../kernel/outcome.ts'
import { openToolkit, type Toolkit } from '../../toolkit.ts'
import { askOn } from './ask.ts'
import { hereIn, workspaceOf, type Here } from './find-workspace.ts'
import { statusLine } from './status-line.ts'
import { painter, residentAt, say, warn, type Terminal } from './terminal.ts'
import { failureCode } from './usage.ts'

export interface Asking {
  readonly root?: string | undefined
  readonly config?: string | undefined
  readonly json?: boolean | undefined
  readonly allow?: readonly string[] | undefined
}

export interface Asked {
  /** The answer of a tool of our own contract; a number, the exit code, where it has none and that was said. */
  ask<Answer extends object>(tool: string, input: object, how?: AskHow): Promise<Answer | number>
  readonly here: Here
}

export interface AskHow {
  /** Neither the answer nor a complaint is printed. */
  readonly quiet?: boolean
  /** What to do about a failure, in the words of this command. */
  readonly hints?: Partial<Readonly<Record<Code, string>>>
  /** Told what went wrong, whether or not it is printed. */
  readonly onFailure?: (error: ToolError) => void
}

/** Opens the workspace for a command that only asks: by the same calls as everybody, and so within policy and on record. */
export async function asking(
  terminal: Terminal,
  values: Asking,
  work: (asked: Asked) => Promise<number>,
): Promise<number> {
  const root = workspaceOf(terminal, values)
  const kit = await openToolkit({
    root,
    env: terminal.env,
    resident: residentAt(terminal),
    ...(values.config !== undefined && { config: values.config }),
    ...(values.allow && { permissions: values.allow }),
  })
  const answerer = askOn(terminal)
  if (answerer) kit.questions.attach(answerer)
  const ask: Asked['ask'] = async <Answer extends object>(
    tool: string,
    input: object,
    { quiet = false, hints, onFailure }: AskHow = {},
  ) => {
    const status = statusLine(terminal)
    const { outcome, answer } = await kit.run(tool, input, { onProgress: status.show }).finally(status.clear)
    if (values.json && !quiet) say(terminal, jsonLine(answer))
    if (outcome.ok) return wholeAnswer(kit, outcome) as Answer
    onFailure?.(outcome.error)
    const { error } = outcome
    if (!values.json && !quiet) complain(terminal, { message: error.message, hint: hints?.[error.code] ?? error.hint })
    return failureCode(outcome.error)
  }
  try {
    return await work({ ask, here: hereIn(root, terminal.cwd) })
  } finally {
    await kit.close()
  }
}

function complain(
  terminal: Terminal,
  { message, hint }: { readonly message: string; readonly hint?: string | undefined },
): void {
  warn(terminal, `${painter(terminal, terminal.stderr)('red', 'toolwright:')} ${inert(message)}`)
  if (hint) warn(terminal, `  ${inert(hint)}`)
}

/** What was too long for an answer is kept, and people see all of it; of one that is a single long text, what is shown. */
function wholeAnswer(kit: Toolkit, { data, meta }: Outcome & { readonly ok: true }): object {
  const id = meta.ref === undefined ? undefined : referenceId(meta.ref)
  const kept = id === undefined ? undefined : kit.workplace.payloads.get(id)?.toString()
  return Object(kept?.startsWith('{\n') ? JSON.parse(kept) : data)
}
