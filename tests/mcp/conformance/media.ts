import { deflateSync, crc32 } from 'node:zlib'

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/** One red pixel. */
export const PNG = Buffer.concat([
  Buffer.from('89504e470d0a1a0a', 'hex'),
  chunk('IHDR', Buffer.from('00000001000000010802000000', 'hex')),
  chunk('IDAT', deflateSync(Buffer.from('00ff0000', 'hex'))),
  chunk('IEND', Buffer.alloc(0)),
]).toString('base64')

/** A tenth of a second of silence. */
export const WAV = Buffer.concat([
  Buffer.from('RIFF'),
  Buffer.from('44030000', 'hex'),
  Buffer.from('WAVEfmt '),
  Buffer.from('1000000001000100401f0000401f000001000800', 'hex'),
  Buffer.from('data'),
  Buffer.from('20030000', 'hex'),
  Buffer.alloc(800, 0x80),
]).toString('base64')
