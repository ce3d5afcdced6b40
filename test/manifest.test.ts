import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {Ajv} from 'ajv'
import type {SchemaObject} from 'ajv'
import addFormats from 'ajv-formats'
import {describe, expect, test} from 'vitest'
import {parse} from 'yaml'
import {z} from 'zod'
import {permits} from '../src/app/features.ts'
import {surface} from '../src/slack/register.ts'
import {optionalScopes, scopes} from '../src/slack/scopes.ts'

const read = (path: string): string => readFileSync(join(import.meta.dirname, path), 'utf8')

const source: unknown = parse(read('../manifest.yml'))
const manifest = z
  .object({
    features: z.object({
      slash_commands: z.array(z.object({command: z.string(), usage_hint: z.string()})),
      shortcuts: z.array(z.object({callback_id: z.string()})),
    }),
    oauth_config: z.object({
      scopes: z.object({bot: z.array(z.string()), bot_optional: z.array(z.string())}),
    }),
    settings: z.object({
      event_subscriptions: z.object({bot_events: z.array(z.string())}),
      interactivity: z.object({is_enabled: z.boolean()}),
    }),
  })
  .parse(source)

const {bot, bot_optional: optional} = manifest.oauth_config.scopes
const asked = [...bot, ...optional]

// What each event subscription asks for; Slack refuses a manifest without it.
const scopeOfEvent: Readonly<Record<string, string>> = {
  app_mention: 'app_mentions:read',
  'message.channels': 'channels:history',
  'message.groups': 'groups:history',
  'message.im': 'im:history',
  'message.mpim': 'mpim:history',
  agent_session_stopped: 'assistant:write',
  app_home_opened: 'chat:write',
  reaction_added: 'reactions:read',
  member_joined_channel: 'channels:read',
  member_left_channel: 'channels:read',
  channel_shared: 'channels:read',
  channel_unarchive: 'channels:read',
  channel_unshared: 'channels:read',
  group_unarchive: 'groups:read',
  link_shared: 'links:read',
  entity_details_requested: 'none',
  app_uninstalled: 'none',
  tokens_revoked: 'none',
  team_access_revoked: 'none',
}

describe('manifest.yml', () => {
  test("is valid under Slack's published schema", () => {
    const ajv = new Ajv({strict: false}) // the schema carries keywords of its own, such as `_note`
    addFormats.default(ajv)
    const schema = z
      .custom<SchemaObject>()
      .parse(JSON.parse(read('fixtures/manifest.schema.2.0.0.json')))
    const validate = ajv.compile(schema)
    validate(source)
    expect(validate.errors).toBeNull()
  })

  test('subscribes to exactly the events that the code listens to', () => {
    expect(manifest.settings.event_subscriptions.bot_events.toSorted()).toEqual(
      [...surface.events].toSorted(),
    )
  })

  test('offers exactly the commands and shortcuts that the code answers', () => {
    const {slash_commands: commands, shortcuts} = manifest.features
    expect(commands.map(({command}) => command)).toEqual([...surface.commands])
    expect(shortcuts.map(({callback_id: id}) => id)).toEqual(surface.shortcuts)
  })

  test('hints at every word of `/bosun`', () => {
    const [bosun] = manifest.features.slash_commands
    const hinted = bosun?.usage_hint.split(' | ') ?? []
    const words = Object.keys(permits).flatMap((name) => /^\/bosun (\S+)$/.exec(name)?.[1] ?? [])
    expect(hinted.toSorted()).toEqual(words.toSorted())
  })

  test('asks for exactly the scopes that the code gives a reason for', () => {
    expect(asked.toSorted()).toEqual(Object.keys(scopes).toSorted())
    expect(optional.toSorted()).toEqual(optionalScopes.toSorted())
  })

  test('leaves to whoever installs it only what docs/scopes.md says is not needed', () => {
    const page = read('../docs/scopes.md')
    const needed = [...page.matchAll(/^\| `([\w:.]+)` \| [^|]+ \| yes \|/gm)].map(
      ([, name]) => name,
    )
    expect(needed).toContain('chat:write')
    expect(optional.filter((scope) => needed.includes(scope))).toEqual([])
  })

  test('has each scope and event explained in docs/scopes.md, and no other', () => {
    const page = read('../docs/scopes.md')
    const told = [...page.matchAll(/^\| `([\w:.]+)` \| ([^|]+?) \|/gm)]
    const reasons = Object.fromEntries(told.map(([, name = '', what]) => [name, what]))
    const {events} = surface
    expect(Object.keys(reasons).toSorted()).toEqual([...Object.keys(scopes), ...events].toSorted())
    expect(reasons).toMatchObject(scopes)
    for (const event of events) {
      const needs = scopeOfEvent[event] === 'chat:write' ? 'none' : scopeOfEvent[event]
      expect(reasons[event]).toContain(needs)
    }
  })

  test('asks for the scope of every event', () => {
    const {bot_events: events} = manifest.settings.event_subscriptions
    expect(Object.keys(scopeOfEvent)).toEqual(expect.arrayContaining(events))
    const needed = events.map((name) => scopeOfEvent[name]).filter((scope) => scope !== 'none')
    expect(asked).toEqual(expect.arrayContaining(needed))
  })

  test('switches on interactivity while there are buttons', () => {
    const actions: readonly unknown[] = surface.actions
    expect(manifest.settings.interactivity.is_enabled).toBe(actions.length > 0)
  })
})
