/** What a reader of ripgrep's output tells, file by file. */
export interface MatchSink {
  /** The lines that follow are of this file. */
  file(path: string): void
  /** A line, or several with matches over line ends, of which the text is only made when it is asked for. */
  line(line: number, isMatch: boolean, text: () => string, matches?: LineMatches): void
  /** So many lines of the file match. */
  count(lines: number): void
  /** The file turned out to be no text: nothing of it counts. */
  binary(): void
  /** How many files were looked into. */
  searched(files: number): void
}

/** The matches in lines that were found together. */
export interface LineMatches {
  readonly count: number
  /** For each the first and the last of its lines, counted from 0. */
  readonly places: () => readonly (readonly [number, number])[]
}

/** Takes the next piece of the output. */
export type OutputReader = (bytes: Buffer) => void
