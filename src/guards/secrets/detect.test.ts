import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { detectSecrets } from './detect.ts'
import { maskDetected } from './detect.ts'
import { processorMs } from '../../../tests/processor-time.ts'

interface Row {
  readonly id: string
  readonly class: string
  readonly kind: string
  readonly parts: readonly string[]
}
const rows = readFileSync(new URL('../../../tests/data/attack/secrets.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line): Row => JSON.parse(line))
const ofClass = (name: string): (readonly [string, string, string])[] =>
  rows.filter(row => row.class === name).map(row => [row.id, row.kind, row.parts.join('')])

// Invented, and put together here so that no scanner takes this file for a leak.
const alphabet = 'q7Zk2VbX9wLm4TnR8cYd3HfJ6sGp5AeQ1uKt0iNzPxWyMvBoCgSrDhFjElUaO'
const some = (length: number): string => alphabet.repeat(3).slice(0, length)
const hex = (length: number): string =>
  '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'.slice(0, length)
const json = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const secret: Readonly<Record<string, string>> = {
  'aws-access-key': `AS${'IA'}Q7ZK2VBX9WLM4TNR`,
  'github-token': `gh${'s_'}${some(36)}`,
  'gitlab-token': `gl${'rt-'}${some(20)}`,
  'slack-token': `xo${'xb-'}173456789012-1734567890123-${some(24)}`,
  'stripe-key': `rk_${'live_'}${some(24)}`,
  'openai-key': `sk-${'proj-'}${some(40)}_${some(40)}`,
  'google-api-key': `AI${'za'}${some(35)}`,
  'npm-token': `np${'m_'}${some(36)}`,
  'huggingface-token': `h${'f_'}${some(34)}`,
  'sendgrid-key': `SG${'.'}${some(22)}.${some(43)}`,
  'telegram-token': `173456789${':AA'}${some(33)}`,
  jwt: `${json({ alg: 'HS256' })}.${json({ sub: '1' })}.${some(43)}`,
  'private-key': `-----BEGIN RSA ${'PRIVATE'} KEY-----\nProc-Type: 4,ENCRYPTED\n\n${some(64)}\n-----END RSA PRIVATE KEY-----`,
  'azure-storage-key': `AccountName=x;Account${'Key='}${some(86)}==`,
  'slack-webhook': `https://hooks.slack.com/services/T0${some(8)}/B0${some(8)}/${some(24)}`,
  'url-password': 'postgres://app:S3cr3t@pw@db.test:5432/x',
  authorization: `curl -H "authorization: bearer ${some(30)}"`,
  'user-option': 'curl -s -u admin:Sup3rX https://host.test',
}

const assigned: readonly string[] = [
  `aws_secret_access_key = ${some(20)}/+${some(18)}`,
  `DB_PASSWORD=hunter2xyz`,
  'password = "hunter2"',
  `"token": "${hex(40)}"`,
  `client_secret='${some(32)}'`,
  `X-Api-Key: ${some(32)}`,
  `'password' => 'S3cr3t!pass',`,
  `{"x":"api_key=\\"${some(20)}\\""}`,
]

const harmless: readonly string[] = [
  `commit ${hex(40)}`,
  `sha256:${hex(64)}`,
  '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
  `"integrity": "sha512-${some(86)}=="`,
  `data:image/png;base64,iVBORw0KGgo${some(80)}`,
  '#ff00aa #FFF',
  'api_key: <your-api-key>',
  'token = "xxxxxxxxxxxxxxxxxxxx"',
  `password=\${DB_PASSWORD}`,
  'PASSWORD=changeme',
  'secret: process.env.SECRET_KEY_2',
  'const token = await getToken(user1)',
  'password: z.string().min(8)',
  'token: string | undefined',
  'The secret: never trust input. Your password: must contain 8 characters',
  `AK${'IA'}IOSFODNN7EXAMPLE`,
  `gh${'p_'}${'x'.repeat(36)}`,
  'https://example.com:8080/path@2x.png',
  'https://user:password@example.com',
  'ssh://git@github.com:org/repo and git@github.com:a/b.git',
  'max_tokens=4096000',
  'private_key: ./keys/server1.pem',
  'Authorization: Basic <credentials>',
  'Authorization: Bearer YOUR_TOKEN_HERE',
  'sk-very-long-hyphenated-css-class-name-here-and-more-2',
  `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${some(43)} me@host`,
  `-----BEGIN PUBLIC KEY-----\n${some(64)}\n-----END PUBLIC KEY-----`,
  'secret: my-app-tls-2024',
  'token: ${{ secrets.GITHUB_TOKEN }}',
  'password: {{ .Values.password1 }}',
  'password = os.environ["DB_PASS1"]',
  'getElementByIdAndClassNameRecursively2',
]

describe('detectSecrets', () => {
  it.each(ofClass('detect'))('%s: %s is detected', (_, __, text) => {
    expect(detectSecrets(text)).toHaveLength(1)
    expect(maskDetected(`before ${text} after`)).toMatch(/^before .*\[redacted:[\w-]+\].* after$/)
  })

  it.each(ofClass('detect-fp'))('%s: %s is left alone', (_, __, text) => {
    expect(detectSecrets(text)).toEqual([])
    expect(maskDetected(text)).toBe(text)
  })

  it.each(Object.entries(secret))('%s', (kind, text) => {
    const [found, ...others] = detectSecrets(`see ${text} there`)
    expect(found?.kind).toBe(kind)
    expect(others).toEqual([])
  })

  it.each(assigned)('assigned: %s', text => {
    expect(maskDetected(text)).toContain('[redacted:assigned-secret]')
  })

  it.each(harmless)('not a secret: %s', text => {
    expect(detectSecrets(text)).toEqual([])
  })

  it('masks the value alone, so that what was JSON stays JSON', () => {
    const value = { note: `password="${some(16)}"`, url: 'https://u:p4ssw0rd@h.test/x', key: secret['private-key'] }
    expect(JSON.parse(maskDetected(JSON.stringify(value)))).toEqual({
      note: 'password="[redacted:assigned-secret]"',
      url: 'https://u:[redacted:url-password]@h.test/x',
      key: '[redacted:private-key]',
    })
  })

  it.each(Object.entries(secret))('%s at the beginning of a line inside JSON', (kind, text) => {
    const line = JSON.stringify({ stdout: `first\n${text}\n\tlast\u001b[0m` })
    expect(detectSecrets(line).map(found => found.kind)).toContain(kind)
    expect(() => JSON.parse(maskDetected(line))).not.toThrow()
  })

  it('finds the same in a long text as in a short one, also at its ends', () => {
    const near = {
      'mailchimp-key': `${hex(32)}-us${'12'}`,
      'airtable-token': `pa${'t'}${some(14)}.${hex(64)}`,
      'url-password': `https://${'u'.repeat(200)}:${some(100)}${some(100)}@h.test`,
      'discord-token': `M${'T'}${some(26)}.${some(6)}.${some(45)}`,
      'mailgun-key': `ke${'y-'}${hex(32)}`,
      'npm-token': `np${'m_'}${some(60).repeat(33)}`,
    }
    const filler = 'a path of user-use, see https://host.test/a and more words of a text that is long. '.repeat(500)
    for (const [kind, text] of [...Object.entries(near), ...Object.entries(secret)])
      for (const [before, after] of [
        [filler, filler],
        ['', filler],
        [filler, ''],
      ]) {
        const short = detectSecrets(` ${text} `).map(found => ({ ...found, index: found.index - 1 }))
        expect(short.map(found => found.kind)).toContain(kind)
        const start = before?.length ?? 0
        const long = detectSecrets(`${before}${text} ${after}`).map(found => ({ ...found, index: found.index - start }))
        expect(long).toEqual(short)
      }
    expect(
      detectSecrets(`${filler}x${near['mailchimp-key']} ${near['mailchimp-key']}3 a${near['airtable-token']}`),
    ).toEqual([])
  })

  it('finds an assigned secret behind every name, ending, quote and sign that its shape has', () => {
    const names = ['api_key', 'access.key', 'ACCESS-KEY-ID', 'SecretAccessKey', 'secret_access_key', 'private_key']
    const more = ['encryption-key', 'signingKey', 'auth.key', 'secret', 'token', 'credential', 'Credentials', 'pwd']
    const parts = fc.record({
      name: fc.constantFrom(...names, ...more, 'password', 'passwd', 'PASSPHRASE'),
      ending: fc.constantFrom('', '_value', 'String', '.prod', '-production', '_LIVE', 'dev'),
      quotes: fc.constantFrom('', '"', "'", '\\"', '`', '"]', "']"),
      before: fc.constantFrom('', ' ', '\t', '        '),
      sign: fc.constantFrom('=', ':', ':=', '=>', ','),
      after: fc.constantFrom('', ' ', '        '),
      quote: fc.constantFrom('"', "'", '`'),
    })
    fc.assert(
      fc.property(parts, ({ name, ending, quotes, before, sign, after, quote }) => {
        const text = `monkey tokens ${name}${ending}${quotes}${before}${sign}${after}${quote}${some(24)}${quote}, keys`
        expect(detectSecrets(text).map(({ kind }) => kind)).toEqual(['assigned-secret'])
      }),
      { numRuns: 500 },
    )
  })

  it('finds the same where V8 compiles expressions without optimization, as it does once a process has many', () => {
    const texts = [...ofClass('detect'), ...ofClass('detect-fp')].map(([, , text]) => text)
    const code = `
      import { detectSecrets } from ${JSON.stringify(new URL('./detect.ts', import.meta.url).href)}
      console.log(JSON.stringify(${JSON.stringify(texts)}.map(text => detectSecrets(text))))
    `
    const args = ['--no-regexp-optimization', '--input-type=module-typescript', '-']
    const printed = execFileSync(process.execPath, args, { encoding: 'utf8', input: code })
    expect(JSON.parse(printed)).toEqual(texts.map(detectSecrets))
  })

  it('takes time in proportion to the text, whatever the text', () => {
    const seeds = ['sk-', 'eyJ', 'eyJa.', 'key=', 'password="', 'https://u:', '://a:', 'bearer ', 'curl -u ', 'a.b:c@']
    const slow = [
      ...seeds,
      `-----BEGIN ${'PRIVATE'} KEY-----`,
      'authorization: bearer a',
      'AKIA',
      '0123456789abcdef',
    ].filter(seed => {
      const before = processorMs()
      detectSecrets(seed.repeat(Math.ceil(300_000 / seed.length)))
      return processorMs() - before > 1_500
    })
    expect(slow).toEqual([])
  })
})
