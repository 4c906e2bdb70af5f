import { languageOf } from '../../languages/registry.ts'
import { decode } from '../model/decode.ts'
import { fileRecord } from '../index/file-record.ts'
import type { ParserAnswer, ParserJob } from '../parser/ask-parser.ts'
import { boundedNesting } from '../parser/nesting.ts'

/** Parses one text. */
export async function runJob(job: ParserJob): Promise<ParserAnswer> {
  const { path, content, at = [] } = job
  if (job.job === 'pdf') return { value: await (await import('./read-pdf.ts')).readPdf(Buffer.from(content), at) }
  const text = typeof content === 'string' ? content : decode(content)
  return boundedNesting(text, languageOf(path) ?? '', () => read(job, text))
}

async function read({ job, path, content, name = '', at = [] }: ParserJob, text: string): Promise<unknown> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  switch (job) {
    case 'facts':
      return fileRecord(path, bytes, text)
    case 'code':
      return (await import('../model/model-of.ts')).modelOf(path, bytes)
    case 'syntax':
      return (await import('../model/syntax/syntax-of.ts')).syntaxOf(path, text)
    case 'module':
      return (await import('../model/syntax/read-module.ts')).moduleText(path, text)
    case 'usages':
      return (await import('../model/usage/usages-of.ts')).usagesOf(path, text, at)
    case 'operations':
      return (await import('../model/usage/usages-of.ts')).operationsOf(path, text, name)
    case 'members':
      return (await import('../model/usage/usages-of.ts')).membersOf(path, text)
    case 'occurrences':
      return (await import('../model/occurrences/occurrences-in.ts')).occurrencesIn(path, text, name)
  }
}
