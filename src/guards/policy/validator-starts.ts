import type { StartRules } from '../../kernel/start-rules.ts'
import { quoteArgv } from '../../kernel/shell-quote.ts'
import { loadCommandParser } from './command-parser.ts'
import type { Policy } from './policy.ts'
import { startRulesOf } from './start-rules.ts'

/** Returns the rules for programs that these validators start. The validators themselves are the user's own choice. */
export async function validatorStarts(
  policy: Policy,
  commands: readonly (readonly string[])[],
): Promise<StartRules | undefined> {
  await loadCommandParser()
  const lines = commands.map(quoteArgv)
  const rules = startRulesOf(policy, { lines })
  if (!rules) return undefined
  const ownCommands = new Set(commands.map(([program = '', ...args]) => JSON.stringify([nameOf(program), args])))
  return {
    ...rules,
    judge: start =>
      ownCommands.has(JSON.stringify([nameOf(start.path), start.args]))
        ? { verdict: 'allow', why: 'it is a validator', command: quoteArgv([start.path, ...start.args]) }
        : rules.judge(start),
  }
}

const nameOf = (path: string): string => path.split('/').at(-1) ?? ''
