import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { linuxSys as sys } from '../../workspace/sys.ts'
import { openLayer, type Layer } from './layer.ts'
import { removeLayers } from './scratch.ts'

describe('what a command left', () => {
  let base: string
  let layer: Layer
  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-layer-')))
    put('outside/a/b/file', 'OUTSIDE')
    put('layer/a/b/file', 'inside')
    layer = openLayer(sys, join(base, 'layer'))
  })
  afterEach(() => {
    layer.close()
    rmSync(base, { recursive: true, force: true })
  })

  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(base, path)), { recursive: true })
    writeFileSync(join(base, path), text)
  }
  const swap = (path: string, target: string): void => {
    rmSync(join(base, 'layer', path), { recursive: true })
    symlinkSync(join(base, 'outside', target), join(base, 'layer', path))
  }

  it('is read by names relative to it', () => {
    expect(layer.names('.')).toEqual(['a'])
    expect(layer.names('a/b')).toEqual(['file'])
    expect(layer.bytes('a/b/file').toString()).toBe('inside')
    expect(layer.stats('a/b').isDirectory()).toBe(true)
  })

  const NO_LINK = /ENOTDIR|ELOOP|ENOENT/

  it.each(['a', 'a/b'])('is not read through a link at %s', path => {
    swap(path, path)
    expect(() => layer.bytes('a/b/file')).toThrow(NO_LINK)
    expect(() => layer.replace('a/b/file', Buffer.from('changed'))).toThrow(NO_LINK)
    expect(() => layer.names('a/b')).toThrow(NO_LINK)
    expect(() => layer.stats('a/b/file')).toThrow(NO_LINK)
    expect(() => layer.at('a/b/file', (dir, name) => sys.unlink(dir, name))).toThrow(NO_LINK)
    expect(readFileSync(join(base, 'outside/a/b/file'), 'utf8')).toBe('OUTSIDE')
  })

  it('is not read through a link that has the name of a file', () => {
    swap('a/b/file', 'a/b/file')
    expect(layer.stats('a/b/file').isSymbolicLink()).toBe(true)
    expect(() => layer.bytes('a/b/file')).toThrow(NO_LINK)
    layer.replace('a/b/file', Buffer.from('changed'))
    expect(readFileSync(join(base, 'outside/a/b/file'), 'utf8')).toBe('OUTSIDE')
  })

  it('is not read through a link that came while its directories were held', () => {
    expect(layer.bytes('a/b/file').toString()).toBe('inside')
    swap('a', 'a')
    // The held directory is still the one from before, whatever has its name now.
    expect(() => layer.bytes('a/b/file')).toThrow(NO_LINK)
    expect(() => layer.bytes('a/b/other')).toThrow(NO_LINK)
  })

  it('gets other bytes in place of a file, never behind a link', () => {
    layer.replace('a/b/file', Buffer.from('other'))
    expect(readFileSync(join(base, 'layer/a/b/file'), 'utf8')).toBe('other')
  })

  it('is removed without what its links lead to', () => {
    for (const [name, target] of [
      ['directory', 'a'],
      ['deep', 'a/b'],
      ['file', 'a/b/file'],
    ] as const)
      symlinkSync(join(base, 'outside', target), join(base, 'layer/a', name))
    removeLayers(join(base, 'layer'))
    expect(existsSync(join(base, 'layer'))).toBe(false)
    expect(readFileSync(join(base, 'outside/a/b/file'), 'utf8')).toBe('OUTSIDE')
  })
})
