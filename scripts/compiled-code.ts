import type * as Files from 'node:fs'
import type * as Vm from 'node:vm'

type Chunk = (...parameters: readonly unknown[]) => void

/** The chunk with schemas, which most calls do not need. */
export const LATE_CHUNK = 'zod'

/** The files of one command as one script. */
interface Joined {
  readonly source: Buffer
  readonly script: Vm.Script
  readonly chunks: Readonly<Record<string, Chunk>>
  /** Set if it was loaded with compiled code. */
  readonly isCompiled: boolean
}

/**
 * Returns a `require` for the command's own files, which loads them with the code that earlier runs compiled. Node's own
 * compile cache is made before a file runs, so it lacks every function that is compiled when it is first called. This one
 * is made at the end of a run, with the functions that were used: most of a start was compiling them.
 *
 * Fifty small files take twice the time of one. So the first run of each command joins the files that it loaded, the
 * second stores the joined file with its code, and the third is fast. Files that another input needs are stored alone.
 *
 * V8 compares only the length of the source, so a stored file has the source too, and `build` names all of it.
 *
 * The chunk named `late` runs when something of it is used for the first time.
 *
 * The build copies the text of this function: it must refer to nothing outside itself.
 */
export function keepingCompiled(
  load: NodeJS.Require,
  folder: string,
  build: string,
  late: string,
): (name: string) => unknown {
  const { mkdirSync, readFileSync, renameSync, writeFileSync }: typeof Files = load('node:fs')
  const { Script }: typeof Vm = load('node:vm')
  const files = `${folder}/cli/`
  const store = `${folder}/compiled/${process.version}-${process.arch}-${process.getuid?.() ?? 0}/`
  const stored = storedAs()
  const loaded = new Map<string, { readonly exports: object }>()
  const alone = new Map<string, { readonly script: Vm.Script; readonly isCompiled: boolean }>()
  const headBytes = 16
  const joined = stored === undefined ? undefined : readJoined(stored)
  // V8 takes compiled code only from a process with the same options, and a failed run uses few functions.
  if (stored !== undefined && process.execArgv.length === 0 && !process.env['NODE_OPTIONS'])
    process.on('exit', code => {
      if (code === 0) keep(stored)
    })
  return loadFile

  function loadFile(name: string): unknown {
    const chunk = chunkOf(name)
    if (chunk === undefined) return load(name)
    if (!chunk.startsWith(`${late}-`)) return loadChunk(chunk)
    return new Proxy({}, { get: (_, key) => Reflect.get(loadChunk(chunk), key) })
  }

  function loadChunk(chunk: string): object {
    const known = loaded.get(chunk)
    if (known) return known.exports
    const module = { exports: {} }
    loaded.set(chunk, module)
    try {
      const run = joined?.chunks[chunk] ?? compile(chunk)
      run(module.exports, loadFile, module, files + chunk, chunk.startsWith('..') ? folder : files)
    } catch (error) {
      loaded.delete(chunk)
      throw error
    }
    return module.exports
  }

  /** The entry names its chunks by folder. A chunk may use another program, which lies above it. */
  function chunkOf(name: string): string | undefined {
    if (!name.endsWith('.cjs')) return undefined
    if (name.startsWith('./')) return name.slice(name.lastIndexOf('/') + 1)
    return name.startsWith('../') ? name : undefined
  }

  function compile(chunk: string): Chunk {
    const filename = files + chunk
    const isOurs = !chunk.startsWith('..')
    const cachedData = isOurs && joined ? read(`${stored}.${chunk}`) : undefined
    const script = new Script(`(${wrapped(readFileSync(filename, 'utf8'))})`, { filename, cachedData })
    if (isOurs) alone.set(chunk, { script, isCompiled: cachedData !== undefined && !script.cachedDataRejected })
    return script.runInThisContext()
  }

  function wrapped(source: string): string {
    return `function(exports,require,module,__filename,__dirname){${source}\n}`
  }

  function read(file: string): Buffer | undefined {
    try {
      return readFileSync(file)
    } catch {
      return undefined
    }
  }

  /** Reads a joined file: the length of its source, the source, and from the next multiple of eight on its code. */
  function readJoined(file: string): Joined | undefined {
    try {
      const bytes = readFileSync(file)
      const end = headBytes + Number(bytes.toString('latin1', 0, headBytes))
      const source = bytes.subarray(headBytes, end)
      const code = bytes.subarray(Math.ceil(end / 8) * 8)
      const cachedData = code.length === 0 ? undefined : code
      const script = new Script(source.toString(), { filename: file, cachedData })
      const isCompiled = cachedData !== undefined && !script.cachedDataRejected
      const chunks = script.runInThisContext()
      return chunks ? { source, script, chunks, isCompiled } : undefined
    } catch {
      return undefined
    }
  }

  /** Without write access nothing is stored. */
  function keep(file: string): void {
    try {
      if (!joined) {
        const chunks = [...alone.keys()].map(chunk => `'${chunk}':${wrapped(readFileSync(files + chunk, 'utf8'))}`)
        mkdirSync(store, { recursive: true, mode: 0o700 })
        return writeJoined(file, Buffer.from(`({${chunks.join(',')}})`))
      }
      if (!joined.isCompiled) writeJoined(file, joined.source, joined.script.createCachedData())
      for (const [chunk, { script, isCompiled }] of alone)
        if (!isCompiled) write(`${file}.${chunk}`, script.createCachedData())
    } catch {}
  }

  function writeJoined(file: string, source: Buffer, code: Buffer = Buffer.alloc(0)): void {
    const head = Buffer.from(String(source.length).padEnd(headBytes))
    write(file, Buffer.concat([head, source, Buffer.alloc((8 - (source.length % 8)) % 8), code]))
  }

  /** V8 does not notice all damage, so a file is whole on the disk before it gets its name. */
  function write(file: string, bytes: Buffer): void {
    writeFileSync(`${file}.${process.pid}`, bytes, { flush: true })
    renameSync(`${file}.${process.pid}`, file)
  }

  /** Returns the file that has the code of this command. */
  function storedAs(): string | undefined {
    const [first = '', second = ''] = process.argv.slice(2)
    const command = first === 'call' ? `call-${second}` : first
    return /^[\w-]{0,40}$/.test(command) ? `${store}${build}-${command}` : undefined
  }
}
