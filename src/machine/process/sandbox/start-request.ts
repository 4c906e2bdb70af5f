/** A stand-in's report of the start that it holds. */
export interface StartRequest {
  /** File that it replaces. */
  readonly file: number
  /** Its process, by inside number. */
  readonly pid: number
  readonly path: string
  readonly args: readonly string[]
}

interface StartRequests {
  begun(): void
  asked(request: StartRequest): void
  ended(): void
}

/** Above the kernel's limit for a program's arguments. */
const MOST_BYTES = 8 * 1024 ** 2
const MOST_FIELDS = 1_000_000

/**
 * Reads requests from a pipe: NUL-terminated fields, the first with their count; an empty field returns the ticket.
 * Programs inside can write anything to the pipe, so malformed or overlong requests are skipped.
 */
export function requestReader({ begun, asked, ended }: StartRequests): (chunk: Buffer) => void {
  let rest: Buffer[] = []
  let fields: string[] = []
  let fieldCount = 0
  let bytes = 0
  const take = (field: string) => {
    if (fieldCount > 0) fields.push(field)
    else if (field === '') ended()
    else if (/^\d{1,7}$/.test(field) && Number(field) >= 3 && Number(field) <= MOST_FIELDS) {
      fieldCount = Number(field)
      begun()
    }
    if (fieldCount === 0 || fields.length < fieldCount) return
    const [file, pid, path = '', ...args] = fields
    fields = []
    fieldCount = bytes = 0
    asked({ file: Number(file), pid: Number(pid), path, args })
  }
  return chunk => {
    bytes += chunk.length
    if (bytes > MOST_BYTES) {
      rest = []
      fields = []
      fieldCount = 0
      return
    }
    let from = 0
    for (let at = chunk.indexOf(0); at >= 0; at = chunk.indexOf(0, from)) {
      take(Buffer.concat([...rest, chunk.subarray(from, at)]).toString())
      rest = []
      from = at + 1
    }
    rest.push(chunk.subarray(from))
  }
}
