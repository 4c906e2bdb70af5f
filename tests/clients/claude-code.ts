import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from './client.ts'
import { APPROVED, READ, TASKS } from './tasks.ts'

const KEY = 'dummy'

export const claudeCode: Client = {
  name: 'Claude Code',
  page: 'claude-code',
  program: 'claude',
  package: '@anthropic-ai/claude-code',
  version: '2.1.325',
  findings: [
    'A question shows all four lines of the card and one line of the diff, as wide as the terminal. Of a longer card it would show three.',
    'Yes is filled in: Enter takes it, and Enter once more sends it. `n` opens the list at no. Esc refuses.',
    'In manual mode it asks before it calls a tool, a read too. The permission in `.claude/settings.json` turns that off, in auto mode too, which it starts in.',
    'Without that permission a service of Anthropic decides in auto mode whether to ask. It is not part of this run, so the last section is in manual mode.',
  ],
  argv: packages => [process.execPath, join(packages, '@anthropic-ai/claude-code/cli-wrapper.cjs')],
  env: model => ({
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  }),
  settle({ home, write }) {
    const approved = { approved: [KEY], rejected: [] }
    write(join(home, '.claude.json'), JSON.stringify({ hasCompletedOnboarding: true, customApiKeyResponses: approved }))
  },
  connections(setups) {
    const [local, project, once] = ['Claude Code', 'Claude Code (project)', 'Claude Code (asks once)'].map(name =>
      setups.filter(({ client }) => client === name),
    )
    const [own, shared, allowed] = [local ?? [], project ?? [], once ?? []]
    return [
      {
        title: 'Connected for yourself',
        about: 'The command, and the file that keeps Claude Code from asking as well:',
        setup: [...own, ...allowed],
        command: 'claude',
        tasks: TASKS,
      },
      {
        title: 'Connected for the project',
        about: 'Two files of the project. Claude Code asks once whether to use the server.',
        setup: [...shared, ...allowed],
        command: 'claude',
        tasks: [READ],
      },
      {
        title: 'Asked twice',
        about: 'The command alone, in manual mode:',
        setup: own,
        command: 'claude --permission-mode default',
        asksItself: true,
        tasks: [APPROVED],
      },
    ]
  },
  async enter(terminal) {
    for (;;) {
      const screen = await terminal.sees(/Yes, I trust this folder|Use this MCP server|mode on/)
      if (screen.includes('mode on')) break
      for (const key of screen.includes('Use this MCP server') ? ['Up', 'Up', 'Enter'] : ['Down', 'Enter'])
        await terminal.press(key)
      await pause(1000)
    }
    // Servers start meanwhile, and nothing on the screen says when they are there.
    await pause(3000)
  },
  ownQuestion: /Do you want to proceed\?/,
  question: /Approve\?: ▸ yes/,
  keys: { yes: ['Enter', 'Enter'], no: ['n', 'Enter', 'Enter'] },
  idle: /^ +◐ |^─+\n❯\s*$/m,
  tidy: line =>
    // How long it took, in words that are chosen by chance, and news that are replaced at once.
    /^✻|^ {2}⎿ {2}Fulfilling input/.test(line)
      ? undefined
      : line.replace(/^[● ] (Call(?:ing|ed) toolwright)/, '● $1').replace(/ · [\dms ]+…$/, '…'),
}
