export interface Shape {
  readonly kind: string
  /**
   * ASCII of two characters or more. The shape cannot occur without one of them, in any case, which saves the search. A
   * capital at the beginning of a hint stands for itself alone.
   */
  readonly hints: readonly string[]
  /**
   * How far a match and what it looks around for can reach from the beginning of a hint: characters before and after.
   * Without it the whole text is searched, which is as fast for patterns that begin with a text of their own.
   */
  readonly near?: readonly [before: number, after: number]
  /**
   * Sticky: matches at the beginning of each hint that is part of the shape. Most hints are parts of other words, and a
   * look at what follows them takes less time than a search.
   */
  readonly follows?: RegExp
  /** Global; masks the group `secret`, else the whole match. */
  readonly pattern: RegExp
  /** A word of small letters is not the secret, but part of a sentence. */
  readonly notWords?: true
  /** The value of an assignment, which can be anything, so it must also look like a secret. */
  readonly assigned?: true
}

/** A token that begins with fixed text: at a word's beginning, then this many characters of its alphabet. */
const token = (kind: string, prefix: string, alphabet: string, least: number, most = 2000): Shape => {
  const begins = prefix.split('|').map(text => text.replaceAll('\\', ''))
  return {
    kind,
    // A capital that the shape demands makes a hint rarer.
    hints: begins.map(([first = '', ...rest]) => first + rest.join('').toLowerCase()),
    near: [1, Math.max(...begins.map(({ length }) => length)) + most + 1],
    follows: new RegExp(`(?:${prefix})[${alphabet}]{${least}}`, 'y'),
    pattern: new RegExp(`(?<![A-Za-z0-9_])(?:${prefix})[${alphabet}]{${least},${most}}(?![A-Za-z0-9])`, 'g'),
  }
}

const word = 'A-Za-z0-9'
const url = 'A-Za-z0-9_-'
const hex = 'a-f0-9'

const tokens: readonly Shape[] = [
  token('aws-access-key', 'AKIA|ASIA|ABIA|ACCA', 'A-Z0-9', 16, 16),
  token('aws-bedrock-key', 'ABSK', `${word}+/=`, 60),
  token('github-token', 'ghp_|gho_|ghu_|ghs_|ghr_', word, 30),
  token('github-fine-grained-token', 'github_pat_', `${word}_`, 40),
  token('gitlab-token', 'glpat-|gldt-|glrt-|glptt-|glsoat-|glcbt-|glimt-|glft-|glagent-|gloas-|glffct-', `.${url}`, 20),
  token('slack-token', 'xoxb-|xoxp-|xoxa-|xoxe-|xoxe\\.|xoxo-|xoxr-|xoxs-|xoxc-|xoxd-|xapp-', `.%${url}`, 20),
  token('stripe-key', 'sk_live_|sk_test_|rk_live_|rk_test_|sk_org_live_|whsec_', `${word}+/=`, 16),
  token('anthropic-key', 'sk-ant-', url, 24),
  token('openrouter-key', 'sk-or-', url, 32),
  token('openai-key', 'sk-proj-|sk-svcacct-|sk-admin-', url, 32),
  token('openai-key', 'sk-', word, 32),
  token('google-api-key', 'AIza', url, 35, 35),
  token('google-oauth-secret', 'GOCSPX-', url, 24),
  token('google-oauth-token', 'ya29\\.', url, 30),
  token('google-refresh-token', '1//0', url, 40),
  token('npm-token', 'npm_', word, 36),
  token('pypi-token', 'pypi-AgE', url, 40),
  token('rubygems-token', 'rubygems_', hex, 40),
  token('docker-token', 'dckr_pat_|dckr_oat_', url, 20),
  token('huggingface-token', 'hf_|api_org_', word, 30),
  token('replicate-token', 'r8_', word, 30),
  token('groq-key', 'gsk_', word, 40),
  token('xai-key', 'xai-', word, 60),
  token('perplexity-key', 'pplx-', word, 40),
  token('digitalocean-token', 'dop_v1_|doo_v1_|dor_v1_', hex, 64),
  token('sendgrid-key', 'SG\\.', `.${url}`, 40),
  token('twilio-key', 'SK', hex, 32, 32),
  token('shopify-token', 'shpat_|shpca_|shppa_|shpss_|shptka_', word, 32),
  token('square-token', 'sq0atp-|sq0csp-|sq0idp-', url, 22),
  token('databricks-token', 'dapi', `${hex}-`, 32, 40),
  token('vault-token', 'hvs\\.|hvb\\.|hvr\\.', url, 24),
  token('linear-key', 'lin_api_|lin_oauth_', word, 32),
  token('notion-token', 'ntn_|secret_', word, 40),
  token('postman-key', 'PMAK-', `${hex}-`, 50),
  token('newrelic-key', 'NRAK-|NRII-|NRJS-', url, 19),
  token('grafana-token', 'glsa_|glc_|eyJrIjoi', `${word}_+/=-`, 30),
  token('sentry-token', 'sntrys_|sntryu_', `${word}_+/=-`, 40),
  token('supabase-token', 'sbp_|sb_secret_', `${word}_`, 20),
  token('planetscale-token', 'pscale_tkn_|pscale_pw_|pscale_oauth_', `.${url}`, 30),
  token('doppler-token', 'dp\\.pt\\.|dp\\.st\\.|dp\\.ct\\.|dp\\.sa\\.', `${word}._-`, 40),
  token('fly-token', 'fo1_|fm1_|fm2_|FlyV1 ', `${word}_+/=,-`, 40),
  token('atlassian-token', 'ATATT3|ATCTT3|ATBB|ATOAT', `${word}_=-`, 20),
  token('netlify-token', 'nfp_|nfc_|nfo_|nfu_|nfb_', word, 36),
  token('tailscale-key', 'tskey-', url, 20),
  token('pulumi-token', 'pul-', hex, 40, 40),
  token('buildkite-token', 'bkua_|bkct_|bkaj_', word, 40),
  token('figma-token', 'figd_|figp_|figo_', url, 40),
  token('dropbox-token', 'sl\\.', url, 100, 2000),
  token('age-key', 'AGE-SECRET-KEY-1', 'A-Z0-9', 58, 58),
  token('contentful-token', 'CFPAT-', url, 40),
  token('heroku-key', 'HRKU-', url, 36),
  token('cloudflare-key', 'v1\\.0-', `${hex}-`, 140),
]

const others: readonly Shape[] = [
  { kind: 'jwt', hints: ['eyj'], pattern: /(?<![\w-])eyJ[\w-]{8,4000}\.eyJ[\w-]{4,20000}\.[\w-]{8,4000}/g },
  {
    kind: 'private-key',
    hints: ['private key'],
    pattern:
      /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:[^-"'<>{}]|-(?!----)){16,20000}(?:-----END [A-Z0-9 ]{1,60}-----)?/g,
  },
  {
    kind: 'mailchimp-key',
    hints: ['-us'],
    near: [33, 6],
    follows: /-us\d/y,
    pattern: /(?<![\w-])[a-f0-9]{32}-us\d{1,2}(?![\w-])/g,
  },
  { kind: 'azure-devops-token', hints: ['azdo'], pattern: /(?<!\w)[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?!\w)/g },
  {
    kind: 'airtable-token',
    hints: ['pat'],
    near: [1, 83],
    follows: /pat[A-Za-z0-9]{14}\./y,
    pattern: /(?<!\w)pat[A-Za-z0-9]{14}\.[a-f0-9]{64}(?!\w)/g,
  },
  {
    kind: 'circleci-token',
    hints: ['Ccipat_', 'Cciprj_'],
    pattern: /(?<!\w)CCIP(?:AT|RJ)_[A-Za-z0-9]{20,30}_[a-f0-9]{40}(?!\w)/g,
  },
  {
    kind: 'braintree-token',
    hints: ['access_token$'],
    pattern: /access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}(?!\w)/g,
  },
  { kind: 'terraform-token', hints: ['.atlasv1.'], pattern: /(?<!\w)[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,70}(?!\w)/g },
  {
    kind: 'mailgun-key',
    hints: ['key-'],
    near: [1, 37],
    follows: /key-[a-f0-9]{32}/y,
    pattern: /(?<![\w-])key-[a-f0-9]{32}(?![\w-])/g,
  },
  {
    kind: 'putty-key',
    hints: ['private-lines'],
    pattern: /Private-Lines: \d{1,4}\r?\n(?<secret>[A-Za-z0-9+/=\r\n]{40,20000})/g,
  },
  {
    kind: 'slack-webhook',
    hints: ['hooks.slack'],
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/(?<secret>[\w/-]{20,200})/gi,
  },
  {
    kind: 'discord-webhook',
    hints: ['/api/webhooks/'],
    pattern: /\/api\/webhooks\/\d{10,24}\/(?<secret>[\w-]{40,120})/g,
  },
  {
    kind: 'teams-webhook',
    hints: ['webhook.office'],
    pattern: /webhook\.office\.com\/webhookb2\/(?<secret>[\w@/-]{60,300})/g,
  },
  {
    kind: 'discord-token',
    hints: ['Mt', 'Md', 'Mz', 'Mj', 'Nd', 'Nt', 'Nj', 'Nz', 'Od', 'Ot'],
    near: [1, 82],
    follows: /[MNO][A-Za-z\d_-]{23,27}\.[\w-]{6}\./y,
    pattern: /(?<![\w.-])[MNO][A-Za-z\d_-]{23,27}\.[\w-]{6}\.[\w-]{27,45}(?![\w-])/g,
  },
  { kind: 'telegram-token', hints: [':aa'], pattern: /(?<![\w:])\d{8,10}:AA[\w-]{33}(?![\w-])/g },
  {
    kind: 'azure-storage-key',
    hints: ['accountkey=', 'sharedaccesskey='],
    pattern: /(?:Account|SharedAccess)Key=(?<secret>[A-Za-z0-9+/]{40,90}={0,2})/gi,
  },
  { kind: 'azure-client-secret', hints: ['q~'], pattern: /(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~-])/g },
  {
    kind: 'signed-url',
    hints: ['sig=', 'signature='],
    pattern: /[?&](?:sig|X-Amz-Signature|X-Goog-Signature|Signature)=(?<secret>[\w%+/=~-]{32,1100})/gi,
  },
  {
    kind: 'url-password',
    hints: ['://'],
    near: [1, 406],
    follows: /:\/\/[^\s/?#@:"'<>]{0,200}:[^\s/?#"'<>]{3}/y,
    pattern: /(?<=[a-z0-9+.-]:\/\/[^\s/?#@:"'<>]{0,200}:)(?<secret>(?![$<{*]|x{3})[^\s/?#"'<>]{3,200})(?=@[\w.[-])/gi,
  },
  {
    kind: 'authorization',
    hints: ['authorization'],
    pattern:
      /authorization[\\"']{0,4}\s{0,4}[:=]\s{0,4}[\\"']{0,4}(?:basic|bearer|token|digest|apikey|bot|negotiate)\s{1,4}(?<secret>[\w.~+/=:-]{8,4000})/gi,
    notWords: true,
  },
  {
    kind: 'bearer-token',
    hints: ['bearer '],
    pattern: /(?<![\w-])bearer\s{1,4}(?<secret>(?=[a-z._~+/-]{0,200}\d)[\w.~+/-]{20,4000}={0,2})/gi,
  },
  {
    kind: 'netrc-password',
    hints: ['machine '],
    pattern: /machine\s{1,4}\S{1,200}\s{1,4}login\s{1,4}\S{1,200}\s{1,4}password\s{1,4}(?<secret>\S{4,200})/gi,
  },
  {
    kind: 'user-option',
    hints: ['curl'],
    pattern: /(?<=\s)(?:-u|--user)[\s=]{1,4}["']?[^\s:"']{1,100}:(?<secret>[^\s"']{4,200})/g,
  },
]

const keyName =
  'api[_.-]?key|access[_.-]?key(?:[_.-]?id)?|secret[_.-]?(?:access[_.-]?)?key|private[_.-]?key|encryption[_.-]?key|signing[_.-]?key|auth[_.-]?key|secret|token|credentials?'
const passwordName = 'passw(?:or)?d|passphrase|pwd'

/** A name, an equals sign or its equivalent, and a value; also with escaped quotes, as inside JSON. */
const assignment = (names: string, hints: readonly string[], least: number): Shape => ({
  kind: 'assigned-secret',
  hints,
  near: [64, 600],
  follows: new RegExp(`(?:${hints.join('|')})[\\w.-]{0,40}[\\\\"'\`\\]]{0,4}\\s{0,8}[=:,]`, 'iy'),
  pattern: new RegExp(
    `(?:${names})(?:[_.-]?(?:value|string|prod|production|live|dev))?[\\\\"'\`\\]]{0,4}\\s{0,8}(?:=>|:=|=|:|,)\\s{0,8}(?<quote>[\\\\"'\`]{0,4})(?<secret>[^\\s"'\`,;<>\\\\]{${least},400})`,
    'gi',
  ),
  assigned: true,
})

const assignments: readonly Shape[] = [
  assignment(keyName, ['key', 'secret', 'token', 'credential'], 8),
  assignment(passwordName, ['passw', 'passphrase', 'pwd'], 6),
]

/** Shapes of well-known secrets. If two fit, the one that begins first and reaches farthest counts. */
export const shapes: readonly Shape[] = [...tokens, ...others, ...assignments]
