import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { OWN_CORPUS } from './corpus.ts'
import { pathRows, type PathRow } from './rows/paths.ts'

const DOCS = join(import.meta.dirname, '../../docs')
const documents = readdirSync(DOCS)
  .filter(name => name.endsWith('.md'))
  .map(name => readFileSync(join(DOCS, name), 'utf8'))
  .join('\n')
const run = pathRows(JSON.parse(readFileSync(join(OWN_CORPUS, 'path-fixture.json'), 'utf8')), documents)
afterAll(() => run.close?.())

/** A verb, a path on the fixture of the corpus, and the outcome. */
const ROWS: readonly (readonly [op: string, path: unknown, expect: string])[] = [
  ['read', 'ln-out-and-back', 'allow'],
  ['read', 'ln-out-back-dir/index.ts', 'allow'],
  ['read', 'ln-parent/ws/a.txt', 'allow'],
  ['read', '{BASE}/outside/../ws/a.txt', 'allow'],
  ['read', 'ln-root/{ROOT}/../outside/secret.txt', 'deny'],
  ['read', 'ln-proc/cwd/a.txt', 'deny'],
  ['read', 'ln-proc/root/etc/passwd', 'deny'],
  ['read', 'ln-self/ln-dir-in/ln-up-out/secret.txt', 'deny'],
  ['read', 'a.txt/.', 'deny'],
  ['read', 'a.txt/..', 'deny'],
  ['read', `${'../'.repeat(2000)}etc/passwd`, 'deny'],
  ['read', `${'./'.repeat(2000)}a.txt`, 'either'],
  ['read', 'src/..\0/a.txt', 'deny'],
  ['write', 'ln-out-back-dir/new.ts', 'allow'],
  ['write', 'ln-dangling-in', 'allow'],
  ['write', 'ln-dangling-out', 'deny'],
  ['write', 'ln-self/ln-parent/pwn', 'deny'],
  ['write', 'ln-home/.bashrc', 'deny'],
  ['write', 'ln-dev/shm/pwn', 'deny'],
  ['write', 'src/', 'deny'],
  ['write', 'new/', 'deny'],
  ['write', '.git/../.git/config', 'deny'],
  ['write', 'uni/../.git/hooks/x', 'deny'],
  ['write', 'ln-git/hooks/pre-commit', 'deny'],
  ['write', 'ln-gitconfig', 'deny'],
  ['write', 'ln-self/.sage/x', 'deny'],
  ['write', 'deep/.git', 'deny'],
  ['write', 'deep/a/.hg/hgrc', 'deny'],
  ['write', 'ln-dir-in/.envrc', 'ask'],
  ['write', 'src/../.mcp.json', 'ask'],
  ['write', '.VSCODE/tasks.json', 'ask'],
  ['write', 'docs/AGENTS.md', 'ask'],
  ['write', 'x'.repeat(255), 'allow'],
  ['write', 'é'.repeat(128), 'deny'],
  ['write', `${'d/'.repeat(201)}f`, 'deny'],
  ['write', { path: 'a.txt' }, 'deny'],
  ['write', null, 'deny'],
  ['mkdir', 'src', 'allow'],
  ['mkdir', 'src/new/deep', 'allow'],
  ['mkdir', 'ln-dir-out/new', 'deny'],
  ['mkdir', 'a.txt/new', 'deny'],
  ['mkdir', '.git/hooks', 'deny'],
  ['delete', 'src/..', 'deny'],
  ['delete', 'sub', 'deny'],
  ['delete', 'ln-dir-out/secret.txt', 'deny'],
  ['delete', 'ln-file-out', 'allow'],
  ['move_src', 'ln-dir-out', 'allow'],
  ['move_src', 'sub/.git/config', 'deny'],
  ['move_dst', 'ln-dir-out/a.txt', 'deny'],
  ['move_dst', 'sub/.git/hooks/x', 'deny'],
  ['move_dst', '.husky/pre-commit', 'ask'],
  ['edit', 'ln-file-out', 'deny'],
  ['patch', 'ln-dir-out/secret.txt', 'deny'],
  ['list', 'src/ln-up-out', 'deny'],
  ['list', 'ln-proc', 'deny'],
  ['glob', '{a.txt,../ws2/*}', 'deny'],
  ['glob', '**/secret.txt', 'allow'],
  ['stat', 'ln-prefix/secret.txt', 'deny'],
  ['shell_cwd', 'src/ln-up-out', 'deny'],
  ['shell_cwd', 'src/../..', 'deny'],
  ['shell_cwd', 'ln-self/src', 'allow'],
]

describe('a path through every tool that has the verb', () => {
  it.each(ROWS.map(row => [row[0], JSON.stringify(row[1]).slice(0, 60), row[2], row] as const))(
    '%s %s: %s',
    async (_op, _path, _expect, [op, path, verdict]) => {
      const row: PathRow = { id: `${op} ${String(path)}`, class: 'own', op, path, expect: verdict }
      const { ok, got } = await run(row)
      expect({ ok, got }).toEqual({ ok: true, got })
    },
  )
})
