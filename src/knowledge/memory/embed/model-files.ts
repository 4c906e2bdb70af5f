import { existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { memoryError } from '../failure.ts'

/** A sentence model on this disk. */
export interface ModelFiles {
  /** Stored with the vectors: another model gets another name. */
  readonly name: string
  readonly directory: string
  /** The graph, in that directory. */
  readonly model: string
  /** Length of its vectors, if known before it runs. */
  readonly dimension?: number
}

/** The name of the model that comes with the package. */
export const OWN_MODEL = 'all-MiniLM-L6-v2-int8'
const OWN = { name: OWN_MODEL, dimension: 384 }
const WASM = 'onnxruntime-web/ort-wasm-simd-threaded.wasm'

/** Returns the model that comes with the package. */
export function ownModel(from: string = import.meta.url): ModelFiles {
  const directory = ancestors(dirname(fileURLToPath(from)))
    .map(folder => join(folder, 'models', OWN.name))
    .find(folder => existsSync(folder))
  if (directory !== undefined) return { ...OWN, directory, model: join(directory, 'model.onnx') }
  throw memoryError(
    'embedding_failed',
    `The model ${OWN.name} is not in this installation`,
    'Install the package again: its directory models is missing',
  )
}

/** Returns the model in a directory of the user: a graph beside its tokenizer, as sentence models are published. */
export function modelIn(path: string): ModelFiles {
  const directory = resolve(path)
  const model = ['model.onnx', 'onnx/model.onnx', 'model_quantized.onnx', 'onnx/model_quantized.onnx']
    .map(name => join(directory, name))
    .find(file => existsSync(file))
  if (model === undefined || !existsSync(join(directory, 'tokenizer.json')))
    throw memoryError(
      'embedding_failed',
      `${directory} holds no model: model.onnx and tokenizer.json have to be there`,
      'Name the directory of a sentence model that was exported to ONNX',
    )
  // The size tells another model in the same directory apart without reading all of it.
  return { name: `onnx:${basename(directory)}:${statSync(model).size}`, directory, model }
}

/** Returns the file of the runtime: the copy in the build if there is one, else that of its package. */
export function runtimeFile(from: string = import.meta.url): string {
  const here = dirname(fileURLToPath(from))
  // A bundle puts this code into its entry or into a folder of chunks next to it.
  const candidates = [here, dirname(here)].map(folder => join(folder, 'onnxruntime', basename(WASM)))
  return candidates.find(file => existsSync(file)) ?? createRequire(from).resolve(WASM)
}

const ancestors = (folder: string): readonly string[] =>
  folder === dirname(folder) ? [folder] : [folder, ...ancestors(dirname(folder))]
