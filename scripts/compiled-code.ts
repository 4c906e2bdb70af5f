import type * as Files from 'node:fs'
import type * as Vm from 'node:vm'

/**
 * Returns a `require` for the command's own files, which loads each with the code that an earlier run compiled. Node's
 * own compile cache is made before a file runs, so it lacks every function that is compiled when it is first called.
 * This one is made at the end of a run, with the functions that were used: most of a start was compiling them.
 *
 * V8 compares only the length of the source, so a file's name must change with its content, as names of chunks do.
 *
 * The build copies the text of this function: it must refer to nothing outside itself.
 */
export function keepingCompiled(load: NodeJS.Require, folder: string): (name: string) => unknown {
  const { mkdirSync, readFileSync, renameSync, writeFileSync }: typeof Files = load('node:fs')
  const { Script }: typeof Vm = load('node:vm')
  const chunks = `${folder}/cli/`
  const store = `${folder}/compiled/${process.version}-${process.arch}-${process.getuid?.() ?? 0}/`
  const loaded = new Map<string, { readonly exports: object }>()
  const fresh = new Map<string, Vm.Script>()
  // V8 takes compiled code only from a process with the same options, and a failed run uses few functions.
  if (process.execArgv.length === 0 && !process.env['NODE_OPTIONS'])
    process.on('exit', code => {
      if (code === 0) keep()
    })
  return loadFile

  function loadFile(name: string): unknown {
    // A chunk may use another program, which lies above it.
    const chunk = /^\.\/(?:cli\/)?([^/]+\.cjs)$/.exec(name)?.[1] ?? /^\.\.\/[^/]+\.cjs$/.exec(name)?.[0]
    if (chunk === undefined) return load(name)
    const known = loaded.get(chunk)
    if (known) return known.exports
    const module = { exports: {} }
    loaded.set(chunk, module)
    try {
      compile(chunk)(module.exports, loadFile, module, chunks + chunk, chunk.startsWith('..') ? folder : chunks)
    } catch (error) {
      loaded.delete(chunk)
      throw error
    }
    return module.exports
  }

  function compile(chunk: string): (...parameters: readonly unknown[]) => void {
    const filename = chunks + chunk
    const cachedData = stored(chunk)
    const source = readFileSync(filename, 'utf8')
    const script = new Script(`(function(exports,require,module,__filename,__dirname){${source}\n})`, {
      filename,
      cachedData,
    })
    if (!chunk.startsWith('..') && (!cachedData || script.cachedDataRejected)) fresh.set(chunk, script)
    return script.runInThisContext()
  }

  function stored(chunk: string): Buffer | undefined {
    try {
      return readFileSync(store + chunk)
    } catch {
      return undefined
    }
  }

  /**
   * Without write access nothing is stored. V8 does not notice all damage, so a file is whole on the disk before it gets
   * its name.
   */
  function keep(): void {
    try {
      if (fresh.size > 0) mkdirSync(store, { recursive: true })
      for (const [chunk, script] of fresh) {
        const written = `${store}${chunk}.${process.pid}`
        writeFileSync(written, script.createCachedData(), { flush: true })
        renameSync(written, store + chunk)
      }
    } catch {}
  }
}
