import type { ModuleSettings } from '../../../languages/javascript/modules/module-settings.ts'
import type { PackedSymbols } from './packed-symbols.ts'

/** Facts of a parsed file in the index. */
export interface PackedFacts {
  readonly language: string
  readonly exports: readonly string[]
  readonly defaultName?: string
  readonly stars: readonly string[]
  readonly tags: readonly string[]
  readonly symbols: PackedSymbols
  /** Names that may be declared where the file does not parse, and those of the symbols around, one a line. */
  readonly lost?: string
}

/** A file to add to the index. */
export interface FoundFile {
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
  /** A hash of its content, or a substitute until it is read. */
  readonly content: string
  readonly facts?: PackedFacts
  /** Its module names, if it is a settings file. */
  readonly settings?: ModuleSettings
  /** Reason why it could not be parsed; its facts are then empty. */
  readonly unparsed?: string
}

/** Result of reading a file. */
export type FileRecord = Pick<FoundFile, 'facts' | 'settings' | 'unparsed'>

/** A file of the index, with `export *` resolved. */
export interface Entry extends FoundFile {
  readonly exports: readonly string[]
}
