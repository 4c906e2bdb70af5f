// oxlint-disable vitest/no-standalone-expect -- tests are given by `needs`, which the rule does not see
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { fakePerson, temporaryWorkspace } from '../src/testing/index.ts'
import { needs } from './needs.ts'
import { binaryCases, type BinaryCase } from './patch-differential/binary-cases.ts'
import { gitApply } from './patch-differential/git-apply.ts'
import { gitEnvironment } from './patch-differential/git-diffs.ts'
import { ourApply } from './patch-differential/our-apply.ts'
import { readTree, writeTree, type Tree } from './patch-differential/tree.ts'

const it = needs('git')
const only = process.env['TOOLWRIGHT_SEED']
const count = process.env['TOOLWRIGHT_LONG'] === '1' ? 2000 : 120
const seeds = only === undefined ? Array.from({ length: count }, (_, index) => index + 1) : [Number(only)]

describe('binary patches', () => {
  it(`applies ${seeds.length} generated ones as git apply does: same acceptance, same bytes`, () => {
    const directory = mkdtempSync(join(tmpdir(), 'toolwright-binary-'))
    try {
      mkdirSync(join(directory, 'git'))
      const cases = binaryCases(join(directory, 'git'), seeds)
      const runs = cases.map((one, index) => prepare(directory, `case${index}`, one))
      const ours = cases.map((one, index) => ourApply(join(directory, `case${index}`, 'w'), bytesOf(one), one.reverse))
      const gits = gitApply(directory, runs)
      const outcomes = cases.map((one, index) => {
        const result = ours[index]
        const git = gits[index]?.ok ? show(readTree(join(directory, `case${index}`, 'w'))) : 'refused'
        const own = result && 'tree' in result ? show(result.tree) : 'refused'
        if (git === own) return git === 'refused' ? 'both refuse' : 'same bytes'
        const rule = result && 'refused' in result ? result.refused.details?.['rule'] : undefined
        if (own === 'refused' && !one.genuine && rule !== undefined && git !== 'refused')
          return `stricter: ${String(rule)}`
        const said = result && 'refused' in result ? result.refused.message : 'applied'
        return `DIFFERENCE seed ${one.seed}: git ${gits[index]?.said} ours ${said}\n${one.patch.slice(0, 2000)}`
      })
      expect(outcomes.filter(outcome => outcome.startsWith('DIFFERENCE')).slice(0, 3)).toEqual([])
      if (only !== undefined) return
      expect(outcomes.filter(outcome => outcome === 'same bytes').length).toBeGreaterThan(count / 2)
      expect(outcomes.filter(outcome => outcome === 'both refuse').length).toBeGreaterThan(count / 10)
      // Both kinds of data were among those that were applied.
      const applied = cases.filter((_, index) => outcomes[index] === 'same bytes').map(({ patch }) => patch)
      for (const kind of [/^literal \d+/m, /^delta \d+/m])
        expect(applied.filter(patch => kind.test(patch)).length).toBeGreaterThan(count / 10)
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  }, 300_000)

  const PNG = Buffer.from('\u0089PNG\r\n\u001a\n\0picture', 'latin1')

  /** The patch that git makes of a change. */
  const patchOf = (before: Tree, after: Tree, ...options: string[]): string => {
    const directory = mkdtempSync(join(tmpdir(), 'toolwright-binary-'))
    try {
      writeTree(join(directory, 'a'), before)
      writeTree(join(directory, 'b'), after)
      const script = `git init -q; git add a b; git diff --no-index --no-prefix ${options.join(' ')} a b; test $? -lt 2`
      const env = gitEnvironment(directory)
      return execFileSync('bash', ['-c', script], { cwd: directory, env }).toString('latin1')
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  }
  const tree = (content: Buffer): Tree =>
    new Map([['logo.png', { content: content.toString('latin1'), executable: false }]])

  it('shows types and sizes on the card, lands the bytes of git, and is undone', async () => {
    await using workspace = temporaryWorkspace({ 'logo.png': PNG })
    const changed = Buffer.concat([PNG, Buffer.from([0, 1, 2, 3])])
    const diff = patchOf(tree(PNG), tree(changed), '--binary')
    const person = fakePerson('yes')
    const kit = await workspace.open({ approve: person })
    expect((await kit.run('patch', { diff })).outcome).toMatchObject({
      ok: true,
      data: { applied: true, files: [{ path: 'logo.png', kind: 'change', hunks: 0, added: 0, removed: 0 }] },
    })
    expect(person.asked[0]?.diffs).toEqual([
      expect.stringContaining(`# PNG image, ${PNG.length} bytes -> PNG image, ${changed.length} bytes`),
    ])
    expect(Buffer.from(workspace.read('logo.png'))).toEqual(Buffer.from(changed.toString()))
    expect((await kit.run('patch', { diff, reverse: true })).outcome.ok).toBe(true)
    expect(workspace.read('logo.png')).toBe(PNG.toString())
  })

  it('refuses one for another file, one without its data, and one that says more than it holds', async () => {
    await using workspace = temporaryWorkspace({ 'logo.png': 'text\n' })
    const kit = await workspace.open({ permissions: ['fs:write'] })
    const changed = Buffer.concat([PNG, Buffer.from([0, 1, 2, 3])])
    const message = async (diff: string) => {
      const { outcome } = await kit.run('patch', { diff })
      return outcome.ok ? 'applied' : outcome.error.message
    }
    const diff = patchOf(tree(PNG), tree(changed), '--binary')
    expect(await message(diff)).toMatch(/'?logo\.png'? is not the file that the binary patch was made for/)
    expect(await message(patchOf(tree(PNG), tree(changed)))).toMatch(/the content of a binary file is missing/)
    writeFileSync(join(workspace.path, 'logo.png'), PNG)
    const bomb = diff.replace(/^(literal|delta) \d+/m, '$1 999999999999')
    expect(await message(bomb)).toMatch(/too large/)
    expect(workspace.read('logo.png')).toBe(PNG.toString())
  })
})

describe('links in a patch', () => {
  const link = 'diff --git a/s b/s\nnew file mode 120000\n--- /dev/null\n+++ b/s\n@@ -0,0 +1 @@\n+a.txt\n'
  const module = link.replace('120000', '160000')
  const through = '--- a/one\n+++ b/one\n@@ -1 +1 @@\n-1\n+2\n'

  it.each([
    ['made by it', link, 'mode', /mode 120000 is that of a link, and links are not patched/],
    ['that is a submodule', module, 'mode', /mode 160000 is that of a submodule/],
    ['changed by it', through, 'link', /'?one'? is a link, and links are not patched/],
    ['that leads to a file', through.replaceAll('/one', '/dir/a.txt'), 'link', /is reached through a link/],
  ])('SG-18: one %s is refused, the message says so, and nothing changes', async (_, diff, rule, words) => {
    await using workspace = temporaryWorkspace({ 'd/a.txt': '1\n' })
    symlinkSync('d/a.txt', join(workspace.path, 'one'))
    symlinkSync('d', join(workspace.path, 'dir'))
    const before = workspace.snapshot()
    const kit = await workspace.open({ permissions: ['fs:write'] })
    const { outcome } = await kit.run('patch', { diff })
    expect(outcome).toMatchObject({ ok: false, error: { message: expect.stringMatching(words), details: { rule } } })
    expect(workspace.snapshot()).toEqual(before)
  })
})

const bytesOf = ({ patch }: BinaryCase): Buffer => Buffer.from(patch, 'latin1')

function prepare(directory: string, name: string, one: BinaryCase) {
  mkdirSync(join(directory, name))
  writeTree(join(directory, name, 'w'), one.tree)
  writeFileSync(join(directory, name, 'patch'), bytesOf(one))
  return { name, flags: ['-v', ...(one.reverse ? ['-R'] : [])] }
}

const show = (files: Tree): string =>
  [...files]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, file]) => `${JSON.stringify(path)}${file.executable ? ' x' : ''} ${JSON.stringify(file.content)}`)
    .join('\n')
