import { execFile, execFileSync } from 'node:child_process'
import { closeSync, constants, copyFileSync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ownModel } from '../src/knowledge/memory/embed/model-files.ts'

/** A model that loads for as long as a test wants: its graph is a pipe, which whoever reads it waits for. */
export interface SlowModel extends Disposable {
  readonly directory: string
  /** Lets one process load the model after this time. */
  feed(afterMs: number): Promise<unknown>
}

export function slowModel(directory: string): SlowModel {
  const { directory: own, model } = ownModel()
  const pipe = join(directory, 'model.onnx')
  mkdirSync(directory)
  for (const name of ['tokenizer.json', 'tokenizer_config.json']) copyFileSync(join(own, name), join(directory, name))
  execFileSync('mkfifo', [pipe])
  return {
    directory,
    feed: afterMs =>
      promisify(execFile)('sh', ['-c', 'sleep "$1"; cat "$2" > "$3"', 'sh', String(afterMs / 1000), model, pipe]),
    [Symbol.dispose]() {
      // A thread that already waits reads an empty graph, as does one that comes later, and ends.
      renameSync(pipe, `${pipe}.old`)
      writeFileSync(pipe, '')
      try {
        closeSync(openSync(`${pipe}.old`, constants.O_WRONLY | constants.O_NONBLOCK))
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENXIO')) throw error
      }
    },
  }
}
