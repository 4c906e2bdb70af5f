import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { HiddenPaths } from '../../../kernel/hidden-paths.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../testing/temporary-workspace.ts'
import { openRoot, type Root } from '../../../machine/workspace/root.ts'
import { NOTHING_HIDDEN, type HiddenFiles } from './hidden-files.ts'
import { whileHidden } from './while-hidden.ts'

const keys = (): HiddenPaths => ({
  matches: path => path.endsWith('.key'),
  covers: () => false,
  reaches: () => true,
  names: () => false,
})

async function inWorkspace(
  files: Readonly<Record<string, string>>,
  work: (root: Root, workspace: TemporaryWorkspace) => Promise<void>,
): Promise<void> {
  await using workspace = temporaryWorkspace(files)
  const root = openRoot(workspace.path)
  try {
    await work(root, workspace)
  } finally {
    root.close()
  }
}

describe('whileHidden', () => {
  it('hides nothing where no rule does', () =>
    inWorkspace({ 'a.key': '' }, async root => {
      expect(await whileHidden(root, undefined, async hidden => hidden)).toBe(NOTHING_HIDDEN)
      expect(await whileHidden(root, { ...keys(), matches: () => false }, async hidden => hidden)).toEqual(
        NOTHING_HIDDEN,
      )
    }))

  it('hides files wherever they are, also beside the history, and what a link of such a name leads to', () =>
    inWorkspace({ 'a.key': '', 'b/c.key': '', 'b/d.ts': '', '.git/e.key': '' }, async (root, { path }) => {
      symlinkSync('b/d.ts', join(path, 'link.key'))
      const { paths } = await whileHidden(root, keys(), async hidden => hidden)
      expect(paths).toEqual(['.git/e.key', 'a.key', 'b/c.key', 'b/d.ts'])
    }))

  it('begins with what was hidden the last time, and does the work anew where that is not so any more', () =>
    inWorkspace({ 'a.key': 'one' }, async (root, workspace) => {
      const hides = keys()
      const seen: HiddenFiles[] = []
      const looking = async (hidden: HiddenFiles) => seen.push(hidden)
      expect(await whileHidden(root, hides, looking)).toBe(1)
      workspace.write('a.key', 'two')
      expect(await whileHidden(root, hides, looking)).toBe(2)
      workspace.write('b.key', '')
      expect(await whileHidden(root, hides, looking)).toBe(4)
      expect(seen.map(({ paths }) => paths.length)).toEqual([1, 1, 1, 2])
      // As an editor saves: what lay on the old file is gone with it.
      workspace.write('new', 'three')
      renameSync(join(workspace.path, 'new'), join(workspace.path, 'a.key'))
      expect(await whileHidden(root, hides, looking)).toBe(6)
      expect(new Set(seen.map(({ key }) => key)).size).toBe(3)
    }))

  it('gives nothing that was found out while such a file came, not even that it failed', () =>
    inWorkspace({ 'a.key': '' }, async (root, workspace) => {
      let times = 0
      const failing = async () => {
        if (times++ > 0) return 'anew'
        workspace.write('late.key', '')
        throw new Error('with what late.key says')
      }
      expect(await whileHidden(root, keys(), failing)).toBe('anew')
      const coming = async () => workspace.write(`${times++}.key`, '')
      await expect(whileHidden(root, keys(), coming)).rejects.toMatchObject({ code: 'unavailable' })
    }))

  it('refuses what no sandbox could keep away', () =>
    inWorkspace({}, async (root, { path }) => {
      const none = async () => 'told'
      mkdirSync(join(path, 'many'))
      for (let count = 0; count <= 1_500; count++) writeFileSync(join(path, `many/${count}.key`), '')
      await expect(whileHidden(root, keys(), none)).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('1501 files may not be read'),
      })
      const whole: HiddenPaths = { ...keys(), covers: directory => directory === 'many' }
      expect(await whileHidden(root, whole, none)).toBe('told')
      writeFileSync(Buffer.concat([Buffer.from(`${path}/`), Buffer.of(0xff), Buffer.from('.key')]), '')
      await expect(whileHidden(root, whole, none)).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('cannot be hidden from a language server'),
      })
    }))
})
