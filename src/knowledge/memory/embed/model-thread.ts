import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import { Tokenizer } from '@huggingface/tokenizers'
import { env, InferenceSession, Tensor } from 'onnxruntime-web/wasm'

// Entry point of the thread that runs a sentence model.

export interface ModelThreadData {
  readonly directory: string
  readonly model: string
  readonly runtime: string
}

/** Without a text it is answered, without a vector, when the model is loaded. */
export interface ToModel {
  readonly id: number
  readonly text: string | undefined
}

export interface FromModel {
  readonly id: number
  readonly vector?: Float32Array
  readonly failed?: string
}

/** What sentence models of this size were trained on, where theirs does not say. */
const LONGEST = 256

/**
 * V8 would optimize most of the runtime for the first text, which takes longer than the text and is of no use to a
 * process that has only a few. With this budget it does so after some ten texts. The usual one of Node 24 is set again,
 * since code is not taken from a cache under other flags than those it was stored under.
 */
const [BUDGET, USUAL_BUDGET] = [100_000_000, 13_000_000]

// TypeScript describes it with the browser only.
declare const WebAssembly: { readonly Module: new (bytes: ArrayBuffer) => object }

/** What the user has set stays as it is. */
const isBudgetGiven = /wasm[-_]tiering[-_]budget/.test([...process.execArgv, process.env['NODE_OPTIONS']].join(' '))

/** V8 gives the runtime, which compiles the same bytes again, this code for as long as it is held. */
const binaries: object[] = []

const port = parentPort
if (!port) throw new Error('This runs as a thread of the embedder')

const ready = loadModel(workerData as ModelThreadData)
// Each request reports the failure.
ready.catch(() => {})

port.on('message', async ({ id, text }: ToModel) => {
  let answer: FromModel
  try {
    const vectorOf = await ready
    answer = text === undefined ? { id } : { id, vector: await vectorOf(text) }
  } catch (error) {
    answer = { id, failed: error instanceof Error ? error.message : String(error) }
  }
  port.postMessage(answer, [])
})

async function loadModel({
  directory,
  model,
  runtime,
}: ModelThreadData): Promise<(text: string) => Promise<Float32Array>> {
  // The bytes themselves: neither further threads nor odd paths matter then.
  const binary = new Uint8Array(readFileSync(runtime)).buffer
  env.wasm.wasmBinary = binary
  env.wasm.numThreads = 1
  binaries.push(compile(binary))
  const tokenizer = new Tokenizer(jsonIn(directory, 'tokenizer.json'), jsonIn(directory, 'tokenizer_config.json'))
  const { max_seq_length: longest = LONGEST } = jsonIn(directory, 'sentence_bert_config.json')
  const { pooling_mode_cls_token: byFirst = false } = jsonIn(directory, join('1_Pooling', 'config.json'))
  const session = await InferenceSession.create(readFileSync(model), {
    executionProviders: ['wasm'],
    // Optimising takes a second at each start and makes a quantised graph no faster.
    graphOptimizationLevel: 'disabled',
    logSeverityLevel: 3,
  })
  return async text => {
    const ids = cut(tokenizer.encode(text).ids, Number(longest))
    const shape = [1, ids.length]
    const tensor = (values: BigInt64Array) => new Tensor('int64', values, shape)
    const inputs: Record<string, Tensor> = {
      input_ids: tensor(BigInt64Array.from(ids, BigInt)),
      attention_mask: tensor(new BigInt64Array(ids.length).fill(1n)),
      token_type_ids: tensor(new BigInt64Array(ids.length)),
    }
    const neededInputs = Object.fromEntries(
      Object.entries(inputs).filter(([name]) => session.inputNames.includes(name)),
    )
    const outputs = Object.values(await session.run(neededInputs))
    // One vector of the sentence if the graph makes it, else one of each token.
    const output = outputs.find(({ dims }) => dims.length === 2) ?? outputs[0]
    if (!(output?.data instanceof Float32Array)) throw new Error('the model gives no vector of 32-bit numbers')
    return normalise(output.dims.length === 2 ? output.data : poolTokens(output.data, ids.length, byFirst === true))
  }
}

/** Flags are those of the process: synchronous, so that no other code of this thread is compiled with them. */
function compile(bytes: ArrayBuffer): object {
  if (isBudgetGiven) return new WebAssembly.Module(bytes)
  setFlagsFromString(`--wasm-tiering-budget=${BUDGET}`)
  try {
    return new WebAssembly.Module(bytes)
  } finally {
    setFlagsFromString(`--wasm-tiering-budget=${USUAL_BUDGET}`)
  }
}

/** Keeps the end mark of a text that is too long. */
const cut = (ids: readonly number[], longest: number): readonly number[] =>
  ids.length <= longest ? ids : [...ids.slice(0, longest - 1), ...ids.slice(-1)]

function poolTokens(tokens: Float32Array, count: number, byFirst: boolean): Float32Array {
  const size = tokens.length / count
  const sum = tokens.slice(0, size)
  if (!byFirst) for (let at = size; at < tokens.length; at++) sum[at % size] = (sum[at % size] ?? 0) + (tokens[at] ?? 0)
  return sum
}

function normalise(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector) || 1
  return Float32Array.from(vector, value => value / length)
}

function jsonIn(directory: string, name: string): Record<string, unknown> {
  const file = join(directory, name)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}
