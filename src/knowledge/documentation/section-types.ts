import type { SectionKind } from '../../languages/documentation-files.ts'

export type { SectionKind }

/** One heading with its text, or one declaration with its comment. */
export interface Section {
  readonly path: string
  /** 1-based; 0 where the text has no lines of its own. */
  readonly line: number
  readonly heading: string
  readonly kind: SectionKind
  readonly body: string
}

/** A documented package at one version. */
export interface DocumentedPackage {
  /** Unique in the store, such as its directory. */
  readonly key: string
  readonly name: string
  readonly version: string
  /** Differs as soon as the package has to be indexed again. */
  readonly stamp: string
  /** The project itself depends on it. */
  readonly direct: boolean
}

/** How far a package is read: the next file, the next section in it, and the size of the files before. */
export interface Position {
  readonly file: number
  readonly section: number
  readonly size: number
}

/** A package of which only a part is stored. */
export interface UnfinishedPackage extends Position {
  readonly key: string
  readonly name: string
  readonly stamp: string
  /** How many files it has; undefined until they are listed. */
  readonly files: number | undefined
  /** How often it was begun since a part was stored last. */
  readonly tries: number
}

/** Sections of a package from one position to another; the package is whole if `to` is left out. */
interface SectionPart {
  readonly files: number
  readonly from: Position
  readonly sections: readonly Section[]
  readonly to?: Position | undefined
}

/** Stores a package in several parts, so that none of them is lost. */
export interface PackageParts {
  /** Notes that a package is being read, so that it comes last should its time not suffice. */
  begin(of: DocumentedPackage): void
  unfinished(): readonly UnfinishedPackage[]
  /** Adds a part at its position. Returns false if the package is elsewhere by now, or cannot be written. */
  append(of: DocumentedPackage, part: SectionPart): boolean
  /** Takes a package as whole, with what is stored of it. */
  finish(of: DocumentedPackage): void
  /** Reports whether a package has this text already. */
  has(key: string, text: Pick<Section, 'heading' | 'body'>): boolean
}
