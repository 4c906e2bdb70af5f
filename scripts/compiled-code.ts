import type * as Files from 'node:fs'
import type * as Vm from 'node:vm'

/**
 * Returns a `require` for the command's own files, which loads each with the code that earlier runs compiled. Node's own
 * compile cache is made before a file runs, so it lacks every function that is compiled when it is first called. This one
 * is made at the end of a run, with the functions that were used: most of a start was compiling them. The first run of
 * each command adds its functions to those of the others.
 *
 * V8 compares only the length of the source, so a file's name must change with its content, as names of chunks do.
 *
 * The build copies the text of this function: it must refer to nothing outside itself.
 */
export function keepingCompiled(load: NodeJS.Require, folder: string): (name: string) => unknown {
  const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync }: typeof Files = load('node:fs')
  const { Script }: typeof Vm = load('node:vm')
  const chunks = `${folder}/cli/`
  const store = `${folder}/compiled/${process.version}-${process.arch}-${process.getuid?.() ?? 0}/`
  const loaded = new Map<string, { readonly exports: object }>()
  const compiled = new Map<string, { readonly script: Vm.Script; readonly storedBytes: number }>()
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
    const storedBytes = script.cachedDataRejected ? 0 : (cachedData?.length ?? 0)
    if (!chunk.startsWith('..')) compiled.set(chunk, { script, storedBytes })
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
      const mark = commandMark()
      const isKnown = mark === undefined || existsSync(mark)
      const wanted = [...compiled].filter(([, { storedBytes }]) => !isKnown || storedBytes === 0)
      if (wanted.length > 0) mkdirSync(store, { recursive: true })
      for (const [chunk, { script, storedBytes }] of wanted) {
        const code = script.createCachedData()
        // A few functions are not worth a write, and V8 forgets those that were not called for long.
        if (code.length < storedBytes * 1.05) continue
        const written = `${store}${chunk}.${process.pid}`
        writeFileSync(written, code, { flush: true })
        renameSync(written, store + chunk)
      }
      if (!isKnown) writeFileSync(mark, '')
    } catch {}
  }

  /** Returns the file that says that the functions of this command are stored. */
  function commandMark(): string | undefined {
    const [first = '', second = ''] = process.argv.slice(2)
    const command = first === 'call' ? `call-${second}` : first
    return /^[\w-]{0,40}$/.test(command) ? `${store}${command}.command` : undefined
  }
}
