import type { Decision } from '../../../guards/policy/decide.ts'
import { loadContract } from '../../../contracts/load-contract.ts'
import { parseOnce } from '../../../kernel/duplicate-key.ts'
import { ToolError } from '../../../kernel/error.ts'
import { jsonLine } from '../../../kernel/json-line.ts'
import type { Toolkit } from '../../../toolkit.ts'
import { jsonLines } from '../json-lines.ts'
import { say, type Terminal } from '../terminal.ts'

/** Prints the decision on each call or command line of standard input. */
export async function checkLines(kit: Toolkit, terminal: Terminal): Promise<void> {
  for await (const line of jsonLines(terminal.stdin))
    if (line.trim() !== '') say(terminal, jsonLine(await judge(kit, line)))
}

/** Returns the decision of policy and remembered answers on one line; an invalid line asks. */
async function judge(kit: Toolkit, line: string): Promise<{ verdict: string; rule: string | null; why: string }> {
  try {
    const { value: request, problem } = parseOnce(line)
    if (problem !== undefined) throw new ToolError('invalid_input', `This line ${problem}`)
    if (typeof request !== 'object' || request === null)
      throw new ToolError('invalid_input', 'A line must be an object')
    if ('command' in request && typeof request.command === 'string')
      return verdictLine(kit.checkCommand(request.command))
    if (!('tool' in request) || typeof request.tool !== 'string')
      throw new ToolError('invalid_input', 'A line needs "command", or "tool" and "input"')
    const session =
      'contract' in request && typeof request.contract === 'string'
        ? kit.session({ contract: await loadContract(request.contract) })
        : kit
    return verdictLine(await session.checkCall(request.tool, 'input' in request ? request.input : {}))
  } catch (error) {
    const isRefused = error instanceof ToolError && (error.code === 'outside_workspace' || error.code === 'denied')
    return {
      verdict: isRefused ? 'deny' : 'ask',
      rule: null,
      why: error instanceof Error ? error.message : String(error),
    }
  }
}

const verdictLine = ({ verdict, rule, why }: Decision) => ({ verdict, rule: rule ?? null, why })
