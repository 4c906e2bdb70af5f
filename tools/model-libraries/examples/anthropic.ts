import Anthropic from '@anthropic-ai/sdk'
import { openToolkit } from 'toolwright'
import { anthropicTools } from 'toolwright/adapters'

const kit = await openToolkit({ root: '.' })
const { tools, run } = await anthropicTools(kit)

const client = new Anthropic()
const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'What does a.txt say?' }]
for (;;) {
  const stream = client.messages.stream({ model: 'claude-sonnet-5', max_tokens: 1000, messages, tools })
  const { content } = await stream.finalMessage()
  const results = await run(content)
  if (results.length === 0) {
    for (const block of content) if (block.type === 'text') console.log(block.text)
    break
  }
  messages.push({ role: 'assistant', content }, { role: 'user', content: results })
}
await kit.close()
