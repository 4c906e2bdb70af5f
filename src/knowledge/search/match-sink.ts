/** Events from a reader of ripgrep's output, file by file. */
export interface MatchSink {
  /** The lines that follow belong to this file. Returns false if only the number of its matching lines is of use. */
  file(path: string): boolean
  /** Reports a line, or several for matches across line ends. The text is created only on demand. */
  line(line: number, isMatch: boolean, text: () => string, matches?: LineMatches): void
  /** Reports the number of matching lines in the file. */
  count(lines: number): void
  /** The file turned out to be binary: nothing of it counts. */
  binary(): void
  /** Reports the number of files searched. */
  searched(files: number): void
}

/** Matches in lines that were found together. */
export interface LineMatches {
  readonly count: number
  /** The first and the last line of each, counted from 0. */
  readonly places: () => readonly (readonly [number, number])[]
}

/** Takes the next piece of the output. */
export type OutputReader = (bytes: Buffer) => void
