import type { Change } from '../kernel/change.ts'
import type { AnyTool } from '../kernel/contract.ts'
import { withDeadline, type Timed } from './deadline.ts'
import type { Opened } from './session.ts'

/** What a call would change, without the secrets and without landing anything; undefined for what only happens once it runs. */
export async function previewOf<Engines>(
  tool: AnyTool<Engines>,
  timed: Timed,
  input: unknown,
  opened: Opened<Engines>,
  signal: AbortSignal | undefined,
): Promise<readonly Change[] | undefined> {
  if (tool.effects.includes('exec') || tool.effects.includes('net')) return undefined
  await withDeadline(timed, signal, context => tool.run(input, opened.engines, context))
  return opened.changes()
}
