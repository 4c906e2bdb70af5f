/** What a reader of ripgrep's output tells, file by file. */
export interface MatchSink {
  /** The lines that follow are of this file. */
  file(path: string): void
  /** A line, of which the text is only made when it is asked for. */
  line(line: number, isMatch: boolean, text: () => string): void
  /** So many lines of the file match. */
  count(lines: number): void
  /** The file turned out to be no text: nothing of it counts. */
  binary(): void
  /** How many files were looked into. */
  searched(files: number): void
}

/** Takes the next piece of the output. */
export type OutputReader = (bytes: Buffer) => void
