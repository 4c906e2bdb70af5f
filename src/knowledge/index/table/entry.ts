import type { ModuleSettings } from '../modules/module-settings.ts'
import type { PackedSymbols } from './packed-symbols.ts'

/** What the index keeps of a parsed file. */
export interface KeptFacts {
  readonly language: string
  readonly exports: readonly string[]
  readonly defaultName?: string
  readonly stars: readonly string[]
  readonly tags: readonly string[]
  readonly symbols: PackedSymbols
}

/** A file as it is put into the index. */
export interface FoundFile {
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
  /** A hash of its content, or what stands for that while nobody has read it. */
  readonly content: string
  readonly facts?: KeptFacts
  /** What it says about the names of modules. */
  readonly settings?: ModuleSettings
  /** Why it could not be parsed; its facts are then empty. */
  readonly unparsed?: string
}

/** What reading a file tells the index. */
export type FileRecord = Pick<FoundFile, 'facts' | 'settings' | 'unparsed'>

/** A file of the index: `export *` is followed here. */
export interface Entry extends FoundFile {
  readonly exports: readonly string[]
}
