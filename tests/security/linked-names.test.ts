// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { describe, expect } from 'vitest'
import { needs } from '../needs.ts'
import { repository, shell } from '../process/git-world.ts'

const it = needs('bubblewrap')

const FILES = {
  'docs/guide.md': 'guide\n',
  'docs/plain.md': 'plain\n',
  'conf/tasks.json': '{}\n',
  'settings/dev': 'TOKEN=zebraQuagga\n',
  'settings/plain': 'zebraQuagga\n',
  'scripts/hook.sh': 'true\n',
  'pkg/a/docs/a.md': 'a\n',
}

const RULES = {
  policy: {
    rules: [
      { action: 'write', path: 'LOCKED.md', verdict: 'deny' },
      { action: 'write', path: '**/asked.txt', verdict: 'ask' },
      { action: 'read', path: '**/.env*', verdict: 'deny' },
      { action: 'read', path: 'vault/**', verdict: 'deny' },
    ],
  },
}

type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>]

interface Row {
  readonly name: string
  /** Links, as `name -> target`. */
  readonly links: readonly string[]
  readonly calls: readonly Call[]
  /** The last call lands without a question. */
  readonly passes?: true
}

const write = (path: string): Call => ['write', { path, content: 'planted\n' }]
const edit = (path: string, old: string): Call => ['edit', { path, edits: [{ old, new: 'planted' }] }]
const remove = (path: string): Call => ['delete', { path }]
const run = (command: string): Call => ['run', { command }]
const patch = (path: string, old: string): Call => [
  'patch',
  { diff: `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-${old}\n+planted\n` },
]

const WRITES: readonly Row[] = [
  { name: 'the target of CLAUDE.md', links: ['CLAUDE.md -> docs/guide.md'], calls: [write('docs/guide.md')] },
  { name: 'CLAUDE.md itself', links: ['CLAUDE.md -> docs/guide.md'], calls: [write('CLAUDE.md')] },
  { name: 'by an edit', links: ['AGENTS.md -> docs/guide.md'], calls: [edit('docs/guide.md', 'guide')] },
  { name: 'by a patch', links: ['AGENTS.md -> docs/guide.md'], calls: [patch('docs/guide.md', 'guide')] },
  { name: 'by deletion', links: ['AGENTS.md -> docs/guide.md'], calls: [remove('docs/guide.md')] },
  {
    name: 'by a move away',
    links: ['AGENTS.md -> docs/guide.md'],
    calls: [['move', { from: 'docs/guide.md', to: 'docs/old.md' }]],
  },
  {
    name: 'by a move to it',
    links: ['AGENTS.md -> docs/new.md'],
    calls: [['move', { from: 'docs/plain.md', to: 'docs/new.md' }]],
  },
  { name: 'by a command', links: ['AGENTS.md -> docs/guide.md'], calls: [run('echo planted > docs/guide.md')] },
  { name: 'a missing target', links: ['GEMINI.md -> docs/new.md'], calls: [write('docs/new.md')] },
  { name: 'a linked directory of an editor', links: ['.vscode -> conf'], calls: [write('conf/tasks.json')] },
  { name: 'through the linked directory', links: ['.vscode -> conf'], calls: [write('.vscode/tasks.json')] },
  { name: 'a new file in it', links: ['.vscode -> conf'], calls: [write('conf/new.json')] },
  { name: 'deep in it', links: ['.vscode -> conf'], calls: [write('conf/a/b/new.json')] },
  { name: 'in it, by a command', links: ['.vscode -> conf'], calls: [run('echo planted > conf/new.json')] },
  {
    name: 'through a link of another name',
    links: ['.vscode -> conf', 'other -> .vscode'],
    calls: [write('other/tasks.json')],
  },
  {
    name: 'over a link in between',
    links: ['.vscode -> middle', 'middle -> conf'],
    calls: [remove('middle')],
  },
  { name: 'over two links', links: ['.vscode -> middle', 'middle -> conf'], calls: [write('conf/tasks.json')] },
  { name: 'an absolute link', links: ['CLAUDE.md -> {ROOT}/docs/guide.md'], calls: [write('docs/guide.md')] },
  { name: 'a link of another case', links: ['Claude.MD -> docs/guide.md'], calls: [write('docs/guide.md')] },
  {
    name: 'a link in a protected directory',
    links: ['.claude/commands -> ../docs', '.github/copilot-instructions.md -> ../settings/plain'],
    calls: [write('docs/guide.md')],
  },
  {
    name: 'a workflow that is a link',
    links: ['.github/workflows/ci.yml -> ../../settings/plain'],
    calls: [write('settings/plain')],
  },
  {
    name: 'a hook that is a link',
    links: ['.husky/pre-commit -> ../scripts/hook.sh'],
    calls: [write('scripts/hook.sh')],
  },
  {
    name: 'a link beside the file, below the root',
    links: ['pkg/a/CLAUDE.md -> docs/a.md'],
    calls: [write('pkg/a/docs/a.md')],
  },
  {
    name: 'what a rule denies by the name of a link',
    links: ['LOCKED.md -> docs/guide.md'],
    calls: [write('docs/guide.md')],
  },
  { name: 'the same through the link', links: ['LOCKED.md -> docs/guide.md'], calls: [write('LOCKED.md')] },
  {
    name: 'the same by a command',
    links: ['LOCKED.md -> docs/guide.md'],
    calls: [run('echo planted > docs/guide.md')],
  },
  { name: 'what a rule asks about', links: ['pkg/a/asked.txt -> docs/a.md'], calls: [write('pkg/a/docs/a.md')] },
  {
    name: 'a link and its target in one command',
    links: [],
    calls: [run('ln -s conf .vscode; echo planted > conf/tasks.json')],
  },
  {
    name: 'a link at an ignored path and its target in one command',
    links: [],
    calls: [run('mkdir dist; ln -s ../docs/guide.md dist/CLAUDE.md; echo planted > docs/guide.md')],
  },
  {
    name: 'a target that git ignores',
    links: ['.vscode -> dist'],
    calls: [run('mkdir dist; echo planted > dist/tasks.json')],
  },
  { name: 'an ordinary file', links: ['CLAUDE.md -> docs/guide.md'], calls: [write('docs/plain.md')], passes: true },
  { name: 'an ordinary link', links: ['current -> docs'], calls: [write('current/plain.md')], passes: true },
  { name: 'the target of an ordinary link', links: ['current -> docs'], calls: [write('docs/plain.md')], passes: true },
  { name: 'a file beside a linked directory', links: ['.vscode -> conf'], calls: [write('conf.md')], passes: true },
  {
    name: 'an ordinary file by a command',
    links: ['.vscode -> conf', 'CLAUDE.md -> docs/guide.md'],
    calls: [run('echo planted > docs/plain.md; mkdir -p build; echo planted > build/out.js')],
    passes: true,
  },
  {
    name: 'a link that leads out of the workspace',
    links: ['CLAUDE.md -> /etc/hostname', '.vscode -> ../elsewhere'],
    calls: [write('docs/guide.md')],
    passes: true,
  },
  {
    name: 'links that lead to each other',
    links: ['CLAUDE.md -> GEMINI.md', 'GEMINI.md -> CLAUDE.md'],
    calls: [write('docs/guide.md')],
    passes: true,
  },
]

const read = (path: string): Call => ['read', { path }]
const grep = (path: string): Call => ['grep', { pattern: 'zebra', path }]

const READS: readonly Row[] = [
  { name: 'through the link', links: ['.env -> settings/dev'], calls: [read('.env')] },
  { name: 'at its own place', links: ['.env -> settings/dev'], calls: [read('settings/dev')] },
  { name: 'through a link that leads to the link', links: ['.env -> settings/dev', 'x -> .env'], calls: [read('x')] },
  { name: 'through a link beside it', links: ['.env -> settings/dev', 'y -> settings'], calls: [read('y/dev')] },
  { name: 'by a search of the file', links: ['.env -> settings/dev'], calls: [grep('settings/dev')] },
  {
    name: 'by a search of its directory',
    links: ['.env -> settings/dev'],
    calls: [['grep', { pattern: 'TOKEN', path: 'settings' }]],
  },
  { name: 'by a search of everything', links: ['.env -> settings/dev'], calls: [['grep', { pattern: 'TOKEN' }]] },
  { name: 'by a command', links: ['.env -> settings/dev'], calls: [run('cat settings/dev')] },
  {
    name: 'by a command, the link being deep',
    links: ['pkg/a/.env.local -> ../../settings/dev'],
    calls: [run('cat settings/dev')],
  },
  { name: 'by a command, the whole directory', links: ['vault -> settings'], calls: [run('cat settings/*')] },
  { name: 'in a directory that is a link', links: ['vault -> settings'], calls: [read('settings/dev')] },
  { name: 'through that directory', links: ['vault -> settings'], calls: [read('vault/dev')] },
  {
    name: 'moved first',
    links: ['.env -> settings/dev'],
    calls: [['move', { from: 'settings/dev', to: 'open' }], read('open')],
  },
  {
    name: 'a link beside the file',
    links: ['pkg/a/.env -> docs/b'],
    calls: [write('pkg/a/docs/b'), read('pkg/a/docs/b')],
  },
  { name: 'another file', links: ['.env -> settings/dev'], calls: [read('settings/plain')], passes: true },
  {
    name: 'another file by a command',
    links: ['.env -> settings/dev'],
    calls: [run('cat settings/plain')],
    passes: true,
  },
  { name: 'another file by a search', links: ['.env -> settings/dev'], calls: [grep('settings')], passes: true },
]

async function opened({ links }: Row) {
  const workspace = repository(FILES)
  workspace.write('../config/config.json', JSON.stringify(RULES))
  for (const link of links) {
    const [name = '', target = ''] = link.split(' -> ')
    shell(workspace, `mkdir -p "$(dirname '${name}')" && ln -s '${target.replace('{ROOT}', workspace.path)}' '${name}'`)
  }
  return { workspace, kit: await workspace.open({ permissions: ['exec', 'fs:write', 'fs:read'] }) }
}

const planted = (snapshot: string): boolean => snapshot.includes('planted')

describe('a write to a place that has another name', () => {
  it.for([...WRITES])('$name', async row => {
    const { workspace, kit } = await opened(row)
    await using _ = workspace
    const before = workspace.snapshot()
    let last
    for (const [tool, input] of row.calls) {
      if (typeof input['path'] === 'string') await kit.run('read', { path: input['path'] })
      last = (await kit.run(tool, input)).outcome
    }
    expect(last?.ok ? 'ok' : last?.error.code).toMatch(row.passes ? /^ok$/ : /^(rejected|denied)$/)
    if (row.passes)
      expect(planted(shell(workspace, 'grep -rl planted --exclude-dir=.git . && echo planted'))).toBe(true)
    else expect(workspace.snapshot()).toEqual(before)
  })
})

describe('reading what a rule denies by the name of a link', () => {
  it.for([...READS])('$name', async row => {
    const { workspace, kit } = await opened(row)
    await using _ = workspace
    let answers = ''
    for (const [tool, input] of row.calls) answers += JSON.stringify((await kit.run(tool, input)).outcome)
    if (row.passes) expect(answers).toContain('zebraQuagga')
    else expect(answers).not.toMatch(/zebraQuagga|"content":"planted/)
  })
})
