import {describe, expect, test} from 'vitest'
import {drawAutomationDetails} from '../../../../src/features/hooks/views/automation-details.ts'
import type {Run} from '../../../../src/store/tables/hooks/runs.ts'
import {automationSchema} from '../../../../src/platform/model.ts'

const drawn = (fields: Record<string, unknown>, runAs?: string) =>
  drawAutomationDetails({
    automation: automationSchema.parse({id: 'automation_1', ...fields}),
    ...{runAs, mayChange: false, nowMs: Date.UTC(2026, 0, 1, 12), runs: []},
    webUrl: undefined,
  })

describe('the details of an automation', () => {
  test('tell all that is set', () => {
    const {text} = drawn(
      {
        ...{
          name: 'Nightly',
          description: 'Looks at <the> shop',
          prompt: 'look\n> here',
          enabled: true,
        },
        triggers: [
          {type: 'schedule', cron: '0 9 * * *', timezone: 'UTC'},
          {type: 'incoming_webhook', secret: 'hidden'},
          {type: 'moon'},
        ],
        model: {modelId: 'swift', reasoningMode: 'high', modes: {fast: true, pro: false}},
        repos: [{repo: 'acme/web', branch: 'main'}, {repo: 'acme/api'}],
        ...{threadMode: 'new', machineSize: 'large', maxRunsPerDay: 3, runCount: 2},
        ...{
          runAsKind: 'human',
          runAsId: 'user_jane',
          singleJamId: 'jam_1',
          chatImpersonation: true,
        },
        organize: {pin: true, folders: ['folder_1'], tags: ['night']},
        mcpOverrides: {enabled_server_keys: ['search'], disabled_server_keys: []},
        ...{lastTriggeredAt: '2026-01-01T09:00:00.000Z', createdAt: '2025-12-01T00:00:00.000Z'},
        updatedAt: '2025-12-02T00:00:00.000Z',
      },
      'Jane Doe',
    )
    for (const line of [
      '*Nightly* · 🟢 enabled\nLooks at &lt;the&gt; shop',
      /\*Starts\* on schedule `0 9 \* \* \*` \(UTC, next <!date.*\), when its webhook is called, on moon/,
      /\*Runs\* ran 2 times · last run <!date/,
      '*Model* swift · thinks high · modes fast',
      '*Machine* large',
      '*Repositories* `acme/web@main`, `acme/api`',
      '*Each run* is new work of its own',
      '*Captain* `jam_1`',
      '*Runs as* Jane Doe (human)',
      '*At most* 3 runs a day',
      '*Its work* is pinned · filed in `folder_1` · tagged `night`',
      '*Posts into chat*',
      '*Tool servers* on: `search`',
      /Created <!date.* · changed <!date/,
      '*What it does*\n>look\n>&gt; here',
    ]) {
      if (line instanceof RegExp) expect(text).toMatch(line)
      else expect(text).toContain(line)
    }
    expect(text).not.toContain('hidden')
  })

  test('name the work that it has begun, and leave our mark out of what it does', () => {
    const run = {...{id: 'run-1', threadId: 't1', title: 'Fix *it*'}, begunAtMs: 0}
    const prompt = 'look\n\n---\nbosun-run:0123456789abcdef'
    const {text, blocks} = drawAutomationDetails({
      automation: automationSchema.parse({id: 'a1', prompt}),
      ...{runAs: undefined, mayChange: false, nowMs: 1, webUrl: undefined},
      runs: [run as unknown as Run],
    })
    expect(text).toContain('▶️ *Fix ∗it∗* · <!date^0')
    expect(text).toContain('*What it does*\n>look')
    expect(text).not.toContain('bosun-run')
    expect(JSON.stringify(blocks)).toContain('"value":"run-1"')
  })

  test('leave out what is not', () => {
    expect(drawn({}).text).toBe(
      '*Unnamed automation* · 🟢 enabled\n*Starts* nothing starts it\n*Runs* never ran · nothing has started it yet',
    )
  })

  test('say why it is disabled, in words or as it comes', () => {
    const known = drawn({enabled: false, disabledReason: 'run_as_unavailable'}).text
    expect(known).toContain('⚠️ It was disabled because the account it ran as no longer exists.')
    const other = drawn({enabled: false, disabledReason: 'moon <!here>'}).text
    expect(other).toContain('The agent platform’s reason: moon &lt;!here&gt;')
    expect(drawn({enabled: true, disabledReason: 'moon'}).text).not.toContain('moon')
  })

  test('fit into a message however long they are', () => {
    const long = 'word '.repeat(5000)
    const {blocks = []} = drawn({
      ...{name: long, description: long, prompt: long},
      repos: Array.from({length: 99}, (_, at) => ({repo: `acme/${at}${long}`, branch: 'main'})),
    })
    for (const block of blocks) {
      expect(block.type === 'section' && (block.text?.text.length ?? 0)).toBeLessThanOrEqual(3000)
    }
  })
})
