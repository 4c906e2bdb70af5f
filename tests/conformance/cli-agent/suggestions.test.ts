import { describe, expect, it } from 'vitest'
import { cliAgent } from '../../../src/contracts/cli-agent/contract.ts'
import { ToolError, type Code } from '../../../src/kernel/error.ts'
import { inputSchema } from '../../../src/kernel/json-schema.ts'
import { COMMANDS } from '../../../src/surfaces/cli/help.ts'
import { CALL_OPTIONS } from '../../../src/surfaces/cli/usage.ts'
import { useAgent } from './rig.ts'

const agent = useAgent({ 'a.txt': 'one\ntwo\n', 'dir/b.txt': 'b\n', 'data.bin': Buffer.from([0, 1, 2, 97]) })
const TOOLS: readonly string[] = cliAgent.tools.map(({ name }) => name)
const PARAMETERS = new Set(cliAgent.tools.flatMap(tool => Object.keys(Object(inputSchema(tool)['properties']))))
const HELP = JSON.stringify(COMMANDS)

/** What a suggestion names that there is not: a tool or parameter of the contract, an option, a command. */
function missingIn(suggestion: string): readonly string[] {
  const names = [...suggestion.matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g)].map(([name]) => name)
  const quoted = [...suggestion.matchAll(/`([a-z]+)`/g)].map(([, name = '']) => name)
  const options = [...suggestion.matchAll(/--([a-z][a-z-]+)/g)].map(([, option = '']) => option)
  const commands = [...suggestion.matchAll(/\btoolwright ([a-z]+(?: [a-z]+)?)/g)].map(([, words = '']) => words)
  return [
    ...[...names, ...quoted].filter(name => !TOOLS.includes(name) && !PARAMETERS.has(name)),
    ...options.filter(option => !(option in CALL_OPTIONS) && !HELP.includes(`--${option}`)),
    ...commands.filter(words => !HELP.includes(`toolwright ${words.split(' ')[0]}`)),
  ]
}

describe('suggestions', () => {
  it('CA-03: name no tool, command or option that there is not, whatever failed', () => {
    const codes = Object.keys(cliAgent.codes) as Code[]
    const meta = { id: 'x', startedAt: '', endedAt: '', durationMs: 1, claims: [], changed: [] }
    for (const name of TOOLS)
      for (const code of codes) {
        const outcome = { ok: false as const, error: new ToolError(code, 'It failed'), meta }
        const { error } = Object(cliAgent.envelope({ name, input: { path: 'x' } }, outcome))
        expect([name, code, error.suggestion, missingIn(error.suggestion)]).toEqual([name, code, error.suggestion, []])
      }
  })

  it.each([
    ['create_file', { path: 'a.txt', content: '' }],
    ['create_file', { path: 'dir', content: '' }],
    ['create_file', { path: 'a.txt/x', content: '' }],
    ['create_file', { path: '.git/hooks/x', content: '' }],
    ['read_file', { path: 'missing' }],
    ['read_file', { path: 'dir' }],
    ['read_file', { path: 'a.txt', start_line: 9 }],
    ['read_file', { path: '../x' }],
    ['replace_string_in_file', { path: 'data.bin', old_string: 'a', new_string: 'b' }],
    ['replace_string_in_file', { path: 'a.txt', old_string: 'three', new_string: '3' }],
    ['replace_string_in_file', { path: 'a.txt', old_string: '', new_string: '' }],
    ['list_dir', { path: 'a.txt' }],
    ['list_dir', { path: 'missing' }],
    ['file_search', { pattern: '**/*[.go' }],
    ['file_search', { pattern: '*', base_path: 'missing' }],
    ['grep_search', { pattern: '(', is_regex: true }],
    ['grep_search', { pattern: 'a', file_pattern: '[' }],
    ['create_directory', { path: 'a.txt' }],
    ['terminal_last_command', {}],
    ['run_in_terminal', { command: 'rm a.txt' }],
    ['run_in_terminal', { command: 'echo "' }],
    ['fetch_webpage', { url: 'nonsense' }],
    ['fetch_webpage', { url: 'http://127.0.0.1:1/' }],
    ['create_fil', {}],
  ])('CA-03: that for %s with %j names only what there is', async (tool, input) => {
    const { error } = Object(await agent.fails(tool, input))
    expect([error.suggestion, missingIn(error.suggestion)]).toEqual([expect.stringMatching(/\w/), []])
  })
})
