import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { memoryFailure } from '../failure.ts'
import { modelIn, OWN_MODEL, ownModel, runtimeFile } from './model-files.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'toolwright-package-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const write = (name: string, text = ''): string => {
  const file = join(root, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

it.each(['dist/index.js', 'dist/chunks/store-1.js', 'dist/cli/store-1.cjs'])(
  'finds model and runtime of the package from %s',
  name => {
    const from = pathToFileURL(join(root, name)).href
    const wasm = write('dist/onnxruntime/ort-wasm-simd-threaded.wasm')
    const model = write(`models/${OWN_MODEL}/model.onnx`)
    expect(ownModel(from)).toMatchObject({ name: OWN_MODEL, dimension: 384, model, directory: dirname(model) })
    expect(runtimeFile(from)).toBe(wasm)
  },
)

it('tells that a package has no model', () => {
  const find = (): unknown => {
    try {
      return ownModel(pathToFileURL(join(root, 'dist/index.js')).href)
    } catch (error) {
      return memoryFailure(error)
    }
  }
  expect(find()).toBe('embedding_failed')
})

it('tells two models in the same directory apart', () => {
  write('mine/tokenizer.json', '{}')
  write('mine/onnx/model.onnx', 'first')
  const { name } = modelIn(join(root, 'mine'))
  write('mine/onnx/model.onnx', 'the second')
  expect(modelIn(join(root, 'mine')).name).not.toBe(name)
})
