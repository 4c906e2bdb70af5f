import { referenceId } from '../../kernel/reference.ts'
import { readKept } from '../../machine/journal/kept-text.ts'
import type { Code, ToolError } from '../../kernel/error.ts'
import { sanitize } from '../../kernel/sanitize.ts'
import { jsonLine } from '../../kernel/json-line.ts'
import type { Outcome } from '../../kernel/outcome.ts'
import type { Toolkit } from '../../toolkit.ts'
import { hereIn, workspaceOf, type Here } from './find-workspace.ts'
import { inSession, runOptions, type CallValues } from './session.ts'
import { statusLine } from './status-line.ts'
import { painter, say, warn, type Terminal } from './terminal.ts'
import { failureCode } from './usage.ts'

export interface ToolAnswer {
  /**
   * Returns the answer of a tool of our own contract. Returns the exit code if the call failed and the failure was
   * reported.
   */
  ask<Answer extends object>(tool: string, input: object, how?: AskHow): Promise<Answer | number>
  readonly here: Here
}

interface AskHow {
  /** Prints neither the answer nor a complaint. */
  readonly quiet?: boolean
  /** Hints for failures, in the words of this command. */
  readonly hints?: Partial<Readonly<Record<Code, string>>>
  /** Called with a failure, whether or not it is printed. */
  readonly onFailure?: (error: ToolError) => void
}

/** Opens the workspace for a command with its own output. Its calls take the same path as all others. */
export async function asking(
  terminal: Terminal,
  values: CallValues,
  work: (asked: ToolAnswer) => Promise<number>,
): Promise<number> {
  const root = workspaceOf(terminal, values)
  const here = hereIn(root, terminal.cwd)
  return inSession({ root, values }, terminal, kit => {
    const ask: ToolAnswer['ask'] = async <Answer extends object>(
      tool: string,
      input: object,
      { quiet = false, hints, onFailure }: AskHow = {},
    ) => {
      const status = statusLine(terminal)
      const options = { ...runOptions(values), onProgress: status.show }
      const { outcome, answer } = await kit.run(tool, input, options).finally(status.clear)
      if (values.json && !quiet) say(terminal, jsonLine(answer))
      if (!values.json && !quiet) await complain(terminal, { kit, here }, { tool, input }, outcome, hints)
      if (outcome.ok) return wholeAnswer(kit, outcome) as Answer
      onFailure?.(outcome.error)
      return failureCode(outcome.error)
    }
    return work({ ask, here })
  })
}

/** Prints failures and warnings as every command words them. Standard output is for results. */
async function complain(
  terminal: Terminal,
  { kit, here }: { readonly kit: Toolkit; readonly here: Here },
  { tool, input }: { readonly tool: string; readonly input: object },
  outcome: Outcome,
  hints: AskHow['hints'] = {},
): Promise<void> {
  const { stderr } = terminal
  if (outcome.ok) {
    const paint = painter(terminal, stderr)
    for (const warning of outcome.meta.warnings ?? []) warn(terminal, paint('yellow', `Warning: ${sanitize(warning)}`))
    return
  }
  const { code } = outcome.error
  const path: unknown = Reflect.get(input, 'path')
  const typedCommand = {
    name: tool,
    here,
    inOptions: (hint: string) => hints[code] ?? hint,
    paths: [path].filter(each => typeof each === 'string'),
  }
  const { showOutcome } = await import('./show-outcome.ts')
  await showOutcome({ ...terminal, stdout: stderr }, kit, tool, outcome, { typed: typedCommand })
}

/** Returns the full stored answer of one that was cut. An answer that is a single long text stays as shown. */
function wholeAnswer(kit: Toolkit, { data, meta }: Outcome & { readonly ok: true }): object {
  const id = meta.ref === undefined ? undefined : referenceId(meta.ref)
  const storedAnswer = id === undefined ? undefined : readKept(kit.workspace.payloads, id)?.text.toString()
  return Object(storedAnswer?.startsWith('{\n') ? JSON.parse(storedAnswer) : data)
}
