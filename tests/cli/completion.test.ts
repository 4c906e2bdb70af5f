// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { needs } from '../needs.ts'
import { openScreen } from './tmux.ts'
import { typedWorld } from './typed-world.ts'

const SLOW = { timeout: 60_000 }

describe('toolwright completion', () => {
  needs('tmux', 'zsh')('completes commands and options in zsh, sourced or found in fpath', SLOW, async () => {
    await using screen = openScreen()
    for (const [at, prepare] of [
      'autoload -U compinit; compinit -D -u; source <(toolwright completion zsh)',
      'toolwright completion zsh > _toolwright; fpath=($PWD $fpath); autoload -U compinit; compinit -D -u',
    ].entries()) {
      screen.type('clear; zsh -f')
      screen.type(`${prepare}; echo prepared''${at}`)
      await screen.sees(`prepared${at}`)
      for (const [typed, completed] of [
        ['toolwright doct', 'toolwright doctor '],
        ['toolwright read --fr', 'toolwright read --from '],
        ['toolwright refactor --kind repl', 'toolwright refactor --kind replace-body '],
      ] as const) {
        screen.press(typed, 'Tab')
        await screen.sees(completed.trimEnd())
        screen.press('C-u')
      }
      screen.type('exit')
    }
  })

  it('completes commands, options and values in bash', SLOW, async () => {
    await using world = typedWorld()
    const completed = (...words: readonly string[]): readonly string[] => {
      const script = `source <(toolwright completion bash); COMP_WORDS=(toolwright "$@"); COMP_CWORD=$#; _toolwright; printf '%s\\n' "\${COMPREPLY[@]}"`
      const printed = execFileSync('bash', ['--norc', '-c', script, 'bash', ...words], {
        cwd: world.workspace.path,
        env: world.env,
        encoding: 'utf8',
      })
      return printed.split('\n').filter(word => word !== '')
    }
    expect(completed('ren')).toEqual(['rename'])
    expect(completed('log', '--verd')).toEqual(['--verdict'])
    expect(completed('stage', 'b')).toEqual(['begin'])
    expect(completed('refactor', '--kind', 'repl')).toEqual(['replace-body'])
    expect(completed('call', '--contract', 'sa')).toEqual(['sage'])
    expect(completed('call', '--effects', '')).toEqual(['off', 'quick', 'complete'])
    expect(completed('read', '--from', '')).toEqual([])
    expect(completed('read', '')).toEqual([])
  })

  needs('fish')('completes commands, options and values in fish', SLOW, async () => {
    await using world = typedWorld()
    const completed = (line: string): readonly string[] => {
      const script = `toolwright completion fish | source; complete -C ${JSON.stringify(line)}`
      const printed = execFileSync('fish', ['--no-config', '-c', script], {
        cwd: world.workspace.path,
        env: world.env,
        encoding: 'utf8',
      })
      return printed
        .trim()
        .split('\n')
        .map(each => each.split('\t')[0] ?? '')
    }
    expect(completed('toolwright ren')).toEqual(['rename'])
    expect(completed('toolwright log --verd')).toEqual(['--verdict'])
    expect(completed('toolwright stage b')).toEqual(['begin'])
    expect(completed('toolwright refactor --kind repl')).toEqual(['replace-body'])
  })
})
