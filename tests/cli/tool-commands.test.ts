import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import { CLI } from '../cli-program.ts'
import { runIn, type Given } from './rig.ts'

let workspace: TemporaryWorkspace

beforeAll(() => {
  workspace = temporaryWorkspace({
    'src/a.ts': 'export const price = 10\nexport function area(w: number): number {\n  return w * price\n}\n',
    'lib/far.ts': 'export function far(): number {\n  return 1\n}\n',
    'lib/deep/near.ts': "import { far } from '../far.ts'\nexport const near = () => far()\n",
    'notes.txt': 'one\ntwo\nthree\n',
    'new.txt': 'from a file\n',
    'fix.diff': '--- a/patched.txt\n+++ b/patched.txt\n@@ -1 +1 @@\n-old\n+new\n',
    'patched.txt': 'old\n',
  })
  mkdirSync(join(workspace.path, '.git'))
  writeFileSync(join(workspace.path, '.git/HEAD'), 'ref: refs/heads/main\n')
})
afterAll(() => workspace.remove())

/** Runs a line in this process: starting one takes longer than what most lines do. */
async function toolwright(args: readonly string[], given: Given = {}) {
  const { code, bytes, err } = await runIn(workspace, args, given)
  return { code, out: bytes.toString(), err }
}

/** The same in a process of its own, whose current directory a relative `--root` is taken from. */
function started(args: readonly string[], { cwd }: { readonly cwd: string }) {
  const flags = ['--disable-warning=ExperimentalWarning', CLI, ...args]
  const { status, stdout, stderr } = spawnSync(process.execPath, flags, {
    cwd: join(workspace.path, cwd),
    env: workspace.env,
    encoding: 'utf8',
  })
  return { code: status, out: stdout, err: stderr }
}

/** What a line prints on standard output. */
const printed = async (args: readonly string[], given?: Given): Promise<string> => (await toolwright(args, given)).out

/** The data of an answer that went well. */
async function data(args: readonly string[], given?: Given): Promise<Record<string, unknown>> {
  const { out, err } = await toolwright([...args, '--json', '--allow', 'fs:read', '--allow', 'fs:write'], given)
  const answer = out === '' ? { ok: false, err } : JSON.parse(out)
  expect(answer).toMatchObject({ ok: true })
  return answer.data
}

describe('a tool as a command', () => {
  it.each<[line: string, expected: object, given?: Given]>([
    ['read notes.txt --from 2 --to 3', { content: 'two\nthree\n', from: 2, to: 3 }],
    ['read --path notes.txt', { totalLines: 3 }],
    ['list src', { path: 'src', total: 1 }],
    ['ls', { path: 'src' }, { cwd: 'src' }],
    ['list .. --depth 2', { path: '.' }, { cwd: 'src' }],
    ['read a.ts --to 1', { path: 'src/a.ts', to: 1 }, { cwd: 'src' }],
    ['read ../notes.txt', { path: 'notes.txt' }, { cwd: 'src' }],
    ['symbols a.ts', { symbols: [{ name: 'price' }, { name: 'area' }] }, { cwd: 'src' }],
    ['symbols area', { symbols: [{ name: 'area', path: 'src/a.ts' }] }],
    ['context src/a.ts:3 --around 1', { line: 3, text: '  return w * price' }],
    ['context src/a.ts 3', { line: 3 }],
    ['write made.txt --content -one-', { bytes: 5, created: true }],
    ['write copied.txt --content-file ../new.txt', { path: 'src/copied.txt', bytes: 12 }, { cwd: 'src' }],
    ['write piped.txt', { bytes: 5 }, { input: 'piped' }],
    ['edit notes.txt two 2', { applied: [{}] }],
    ['edit notes.txt --old one --new 1 --all', { applied: [{}] }],
    ['edit notes.txt --edits [{"old":"three","new":"3"}]', { applied: [{}] }],
    ['patch fix.diff --check', {}],
    ['patch', {}, { input: '--- a/patched.txt\n+++ b/patched.txt\n@@ -1 +1 @@\n-old\n+new\n' }],
    ['mv new.txt src/moved.txt', {}],
    ['rm moved.txt', {}, { cwd: 'src' }],
    ['check domain_map', { valid: false, data: {} }, { input: '{}' }],
    ['plan', { items: [] }],
  ])('%s', async (line, expected, given) => {
    expect(await data(line.split(' '), given)).toMatchObject(expected)
  })

  it('does what was asked for to the files', () => {
    expect(workspace.read('notes.txt')).toBe('1\n2\n3\n')
    expect(workspace.read('made.txt')).toBe('-one-')
    expect(workspace.read('src/copied.txt')).toBe('from a file\n')
    expect(workspace.read('patched.txt')).toBe('new\n')
  })

  it('takes paths from the current directory and says which workspace it found; JSON names paths of the workspace', async () => {
    const inside = { cwd: 'src' }
    const typed = await toolwright(['read', 'a.ts'], inside)
    expect(typed).toMatchObject({ code: 0, err: `Workspace: ${workspace.path}\n` })
    expect((await toolwright(['call', 'read', '{"path":"src/a.ts"}'], inside)).code).toBe(0)
    expect(await printed(['grep', 'price'], inside)).toMatch(/^a\.ts:1:/)
    expect(await printed(['grep', '-l', 'price', '..'], inside)).toBe('a.ts\n')
    const globbed = (glob: string) => printed(['grep', '-l', 'price', '-g', glob], inside)
    expect([await globbed('/a.ts'), await globbed('!/a.ts'), await globbed('/src/a.ts'), await globbed('a.*')]).toEqual(
      ['a.ts\n', '', '', 'a.ts\n'],
    )
    expect(await printed(['find', '*.ts'], inside)).toBe('a.ts\n')
    expect(await printed(['find', 'made.txt', '..'], inside)).toBe('../made.txt\n')
    expect(started(['read', 'a.ts', '--root', '.'], inside)).toMatchObject({ code: 0, err: '' })
    const agent = ['call', 'read_file', '{"filePath":"a.ts","path":"a.ts"}', '--contract', 'cli-agent']
    expect((await toolwright(agent, inside)).err).not.toContain('Workspace:')
  })
})

it(
  'prints paths as they are typed in the current directory, and those of the workspace in JSON and for call',
  { timeout: 180_000 },
  async () => {
    const deep = { cwd: 'lib/deep' }
    const linesOf = async (...args: readonly string[]) => (await printed(args, deep)).split('\n')
    expect(await linesOf('symbols', 'far')).toContain('../far.ts')
    expect(await linesOf('references', 'far', '--wait', '45')).toEqual(expect.arrayContaining(['near.ts']))
    expect(await linesOf('context', '../far.ts:2')).toContain('  ../far.ts')
    expect(await linesOf('callers', 'far', '--wait', '45')).toEqual(['far  ../far.ts:1', '└─ near  near.ts:2', ''])
    expect(await linesOf('index', 'query', 'symbol', 'far')).toContainEqual(expect.stringMatching(/^\.\.\/far\.ts {2}/))
    expect(await linesOf('list', '..', '--sizes')).toEqual(
      expect.arrayContaining([expect.stringMatching(/^\.\.\/far\.ts {2}/), '../deep/']),
    )
    expect(await linesOf('call', 'symbols', '{"query":"far"}')).toContain('lib/far.ts')
    expect(await data(['symbols', 'far'], deep)).toMatchObject({ symbols: [{ path: 'lib/far.ts' }] })
  },
)

describe('a line that makes no sense', () => {
  it.each([
    ['read', "'read' needs PATH: toolwright read PATH [options]. Try: toolwright help read"],
    ['read a b', "'read' takes no argument 'b': toolwright read PATH [options]"],
    ['read notes.txt --form 2', "Unknown option '--form'; did you mean --from? Try: toolwright help read"],
    ['read notes.txt --from', "Option '--from <value>' argument missing. Try: toolwright help read"],
    [
      'read notes.txt --from --to 2',
      "Option '--from' argument is ambiguous: it is missing, or begins with a dash (--from=VALUE)",
    ],
    ['read notes.txt --from two', "--from wants a whole number, not 'two'"],
    ['read notes.txt --from 0', "--from wants a whole number from 1 on, not '0'"],
    ['read notes.txt --path notes.txt', '--path is given twice'],
    ['list --depth 21', "--depth wants a whole number from 1 to 20, not '21'"],
    ['fetch http://a.example --timeout 121', "--timeout wants seconds from 0.001 to 120, not '121'"],
    ['read notes.txt --encoding ebcdic', "--encoding wants one of utf-8, utf-16, latin-1, ascii, not 'ebcdic'"],
    ['edit notes.txt --edits nonsense', "--edits wants JSON, not 'nonsense'"],
    [
      'edit notes.txt --edits [{"old":"three","new":"3","\\u0061ll":false,"all":true}]',
      '--edits has the key "all" twice in one object',
    ],
    ['edit notes.txt one', "'edit' needs NEW: toolwright edit PATH OLD NEW [options]"],
    ['rename area', "'rename' needs NEW: toolwright rename OLD NEW [options]"],
    ['context src/a.ts', "'context' needs LINE: toolwright context FILE:LINE [options]"],
    ['write a.txt --content-file none.txt', "Cannot read 'none.txt' (ENOENT)"],
    ['run', 'toolwright run [options] -- PROGRAM [ARGUMENT …]'],
    ['run --background -- sleep 60', 'A command in the background ends with the process that started it'],
    [
      'run --handle bg-1',
      "in the background from 'toolwright mcp' or 'toolwright call --jsonl'. Try: toolwright help run",
    ],
    ['call run {"command":"ls","background":true} --allow exec', 'Run it in the foreground'],
    ['serach', "There is no command 'serach'. Type: toolwright grep PATTERN [PATH …] [options]"],
    ['wirte', 'Type: toolwright write PATH [FILE] [options]. Try: toolwright help write'],
    ['read_file', "Type: toolwright read PATH [options]. The tool of that name: toolwright call read_file '{"],
    [
      'queryIndex',
      `Type: toolwright index query exports|tag|symbol|prefix VALUE [--limit N] [--skip N] [--json]. The tool of that name: toolwright call queryIndex '{"query":{"type":"exports",`,
    ],
    ['ren', "There is no command 'ren'. Type: toolwright rename OLD NEW [options]. Try: toolwright help rename"],
    ['sym', 'Type: toolwright symbols '],
    ['edit_file', 'Type: toolwright edit PATH OLD NEW [options]'],
    [
      'cp',
      "There is no command 'cp'. Type: toolwright run [options] -- PROGRAM [ARGUMENT …]. Try: toolwright help run",
    ],
    ['mkdir', 'Type: toolwright run [options] -- PROGRAM [ARGUMENT …]'],
    ['rx', "There is no command 'rx'. Try: toolwright help\n"],
    ['diff', 'Type: toolwright log show ID [--json]. Try: toolwright help log'],
    ['version', 'Type: toolwright --version. Try: toolwright help\n'],
    ['tools raed', "There is no tool 'raed' in toolwright; did you mean read?"],
  ])('%s', async (line, said) => {
    const before = workspace.snapshot()
    const { code, out, err } = await toolwright(line.split(' '))
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(said)
    expect(err.trimEnd().split('\n')).toHaveLength(1)
    expect(workspace.snapshot()).toEqual(before)
  })
})

describe('toolwright call of a tool that is not there', () => {
  it.each([
    ['raed', `Type: toolwright call read '{"path":"…"}'\n`],
    ['list_dir', 'Type: toolwright call list_dir '],
    ['Read', `Type: toolwright call Read '{"file":"…"}' --contract sage\n`],
    ['queryIndex', `Type: toolwright call queryIndex '{"query":{"type":"exports",`],
    ['edti', `Type: toolwright call edit '{"path":"src/hello.ts","edits":[{"old":"hello","new":"goodbye"}]}'\n`],
    ['nothing_of_the_kind', ''],
  ])('%s', async (tool, said) => {
    const { code, err } = await toolwright(['call', tool, '{}'])
    expect([code, err]).toEqual([1, said === '' ? '' : expect.stringContaining(said)])
  })
})

describe('toolwright tools NAME', () => {
  it('shows the tool of that name, or of that command', async () => {
    expect(await printed(['tools', 'rename'])).toMatch(/^refactor \{kind, .*\n.*\n {4}kind\n {4}symbol {2}A name/)
    expect(JSON.parse(await printed(['tools', 'refs', '--json']))).toMatchObject([{ name: 'references' }])
  })
})

describe('toolwright completion bash', () => {
  let ours = ''
  beforeAll(async () => {
    ours = await printed(['completion', 'bash'])
  })

  /** What bash completes after this line, with the script that we print. */
  const completed = (line: string): readonly string[] => {
    const words = line.split(' ')
    const script = `source <(printf '%s' "$OURS")
COMP_WORDS=(${words.map(word => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
$(complete -p toolwright | sed 's/.*-F \\([^ ]*\\).*/\\1/')
printf '%s\\n' "\${COMPREPLY[@]}"`
    const env = { ...workspace.env, OURS: ours }
    const offered = execFileSync('bash', ['--norc', '-c', script], { cwd: workspace.path, env, encoding: 'utf8' })
    return offered.split('\n').filter(word => word !== '')
  }

  it.each([
    ['toolwright rea', ['read']],
    ['toolwright re', ['read', 'recall', 'refactor', 'references', 'refs', 'remember', 'rename', 'replay']],
    ['toolwright read --f', ['--from']],
    ['toolwright rename --no', ['--no-strict']],
    ['toolwright run --ba', []],
    ['toolwright grep --ignore', ['--ignore-case']],
    ['toolwright read notes.txt --encoding utf', ['utf-8', 'utf-16']],
    ['toolwright refactor insert', ['insert-before', 'insert-after']],
    ['toolwright stage c', ['commit']],
    ['toolwright policy en', ['enable']],
    ['toolwright help gr', ['graph', 'grep']],
    ['toolwright log ', ['show', 'verify']],
    ['toolwright log --verdict ', ['allow', 'ask', 'deny']],
    ['toolwright tools --format o', ['openai']],
    ['toolwright call re', ['read', 'refactor', 'references', 'remember']],
    // Files are the shell's own affair.
    ['toolwright read not', []],
    ['toolwright read --path not', []],
  ])('%s', (line, words) => expect(completed(line)).toEqual(words))
})

describe('the line that goes on', () => {
  /** The line that an answer ends with, run as a shell reads it. */
  const goOn = (line: string): string => {
    const start = `"${process.execPath}" --disable-warning=ExperimentalWarning "${CLI}"`
    return execFileSync('/bin/sh', ['-c', line.replace(/^toolwright/, start)], {
      cwd: workspace.base,
      env: workspace.env,
      encoding: 'utf8',
    })
  }
  const rest = (out: string): string => /There is more: (.*)/.exec(out)?.[1] ?? ''

  it('is the command that was typed, with the changed option and the workspace', () => {
    mkdirSync(join(workspace.base, "it's here"), { recursive: true })
    for (const name of ['one', 'two']) writeFileSync(join(workspace.base, "it's here", name), '')
    const root = ['--root', "it's here"]
    const from = { cwd: '..' }
    const typed = rest(started(['list', ...root, '--limit', '1'], from).out)
    expect(typed).toBe(String.raw`toolwright list --limit 1 --skip 1 --root 'it'\''s here'`)
    expect(goOn(typed)).toContain('two')
    const called = rest(started(['call', 'list', '{"limit":1}', ...root], from).out)
    expect(called).toBe(String.raw`toolwright call list '{"limit":1,"skip":1}' --root 'it'\''s here'`)
    expect(goOn(called)).toContain('two')
  })

  it('names the workspace for undo and for a transaction too', async () => {
    const at = ['--root', workspace.path, '--allow', 'fs:write']
    const written = await printed(['write', 'rooted.txt', '--content', 'x', ...at], { cwd: '..' })
    expect(written).toMatch(new RegExp(`Undo: toolwright undo \\w+ --root ${workspace.path}\n`))
    const begun = await printed(['stage', 'begin', ...at], { cwd: '..' })
    expect(begun).toMatch(new RegExp(`Land it: toolwright stage commit --transaction \\w+ --root ${workspace.path}\n`))
    expect(goOn(/Drop it: (.*)/.exec(begun)?.[1] ?? '')).toContain('✓')
  })
})
