import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {
  blockNamedIn,
  checkAutomation,
  readAutomation,
  reposIn,
} from '../../../src/features/hooks/automation-entry.ts'
import {branchesOf, memberOf, troubleOf} from '../../../src/features/hooks/automation-trouble.ts'
import {readSchedules} from '../../../src/features/hooks/cron.ts'
import {
  PlatformInvalidRequest,
  PlatformModelRejected,
  PlatformPaidFeature,
  PlatformProjectNotFound,
} from '../../../src/platform/errors.ts'

const usual = {name: 'Nightly', prompt: 'look', cron: '0 9 * * *', zone: 'UTC'}
const entry = (values: Record<string, string>) => new Map(Object.entries(values))
const check = (values: Record<string, string>) =>
  checkAutomation({values: entry({...usual, ...values})})

describe('what was entered', () => {
  test('asks for nothing that was not', () => {
    expect(readAutomation(entry(usual), [])).toEqual({
      ...{name: 'Nightly', prompt: 'look', enabled: true},
      triggers: [{type: 'schedule', cron: '0 9 * * *', timezone: 'UTC'}],
    })
  })

  test('asks for every field of its own', () => {
    const all = entry({
      ...usual,
      ...{called: 'called', cron: ' 0 9  * * 1-5\n\n0 18 * * 5 Asia/Tokyo '},
      ...{zone: 'Europe/Berlin', description: 'For us', model: ' swift ', effort: 'high'},
      ...{modes: 'fast,ultrafast', size: 'large', thread: 'new', perDay: '7', also: 'pin,disabled'},
      ...{folders: 'folder_1, folder_2', tags: 'night,night,\nshop'},
    })
    expect(readAutomation(all, [])).toEqual({
      ...{name: 'Nightly', prompt: 'look', description: 'For us', enabled: false},
      triggers: [
        {type: 'schedule', cron: '0 9 * * 1-5', timezone: 'Europe/Berlin'},
        {type: 'schedule', cron: '0 18 * * 5', timezone: 'Asia/Tokyo'},
        {type: 'incoming_webhook'},
      ],
      model: {modelId: 'swift', reasoningMode: 'high', modes: {fast: true, ultrafast: true}},
      ...{machineSize: 'large', threadMode: 'new', maxRunsPerDay: 7},
      organize: {pin: true, folders: ['folder_1', 'folder_2'], tags: ['night', 'shop']},
    })
  })

  test('says of a model what its name means, and what is chosen beside it goes before that', () => {
    const best = {
      ...{id: 'a1', team: 'T1', connectionId: undefined, changedBy: 'U1', changedAtMs: 1},
      ...{name: 'Best', modelId: 'swift', effort: 'high', modes: ['fast', 'pro']},
    }
    const model = (said: Record<string, string>) =>
      readAutomation(entry({...usual, ...said}), [best]).model
    const means = {modelId: 'swift', reasoningMode: 'high', modes: {fast: true, pro: true}}
    expect(model({model: 'best'})).toEqual(means)
    expect(model({model: 'best', effort: 'low'})).toEqual({...means, reasoningMode: 'low'})
    expect(model({model: 'best', modes: 'pro'})).toEqual({...means, modes: {pro: true}})
    expect(model({model: 'bestest'})).toEqual({modelId: 'bestest'})
  })

  test('is told wrong where it stands', () => {
    expect(check({})).toBeUndefined()
    expect(check({called: 'called', cron: ''})).toBeUndefined()
    expect(check({called: 'called', cron: 'x'})).toHaveProperty('cron')
    expect(check({cron: ''})?.['cron']).toContain('Write a schedule, or tick')
    expect(check({cron: '0 9 * * *\n0 9 * *'})?.['cron']).toContain('Line 2: A schedule has five')
    expect(check({cron: '0 9 * * * Mars/Base'})?.['cron']).toContain('don’t know that time zone')
    expect(check({zone: 'Mars/Base'})?.['zone']).toContain('don’t know that time zone')
    expect(check({cron: '0 0 9 * * *'})?.['cron']).toContain('five fields')
    expect(check({cron: '0 9 * * *\n'.repeat(11)})?.['cron']).toContain('more than 10')
    expect(check({effort: 'high'})).toHaveProperty('model')
    expect(check({modes: 'fast'})).toHaveProperty('model')
    expect(check({modes: 'fast', model: 'swift'})).toBeUndefined()
    expect(check({repos: 'acme/web@main\nacme'})?.['repos']).toContain('“acme”')
    for (const perDay of ['0', '-1', '1.5', 'many', '10001']) {
      expect(check({perDay})).toHaveProperty('perDay')
    }
  })

  test('may be anything', () => {
    const text = fc.string({unit: fc.constantFrom(...Array.from(' \n,@/*0129-aU'))})
    fc.assert(
      fc.property(text, text, (cron, zone) => {
        for (const one of readSchedules(cron, zone)) expect(one.cron.trim()).not.toBe('')
        check({cron, zone, repos: cron, tags: zone})
      }),
    )
  })

  test('names repositories with or without a branch', async () => {
    const repos = [{repoFullName: 'acme/web', baseBranch: 'trunk'}]
    const project = () => Promise.resolve({repos})
    const branches = (text: string) => branchesOf(entry({repos: text}), project)
    expect(reposIn(entry({repos: 'a/b@c@d, e/f'}))).toEqual([
      {repo: 'a/b', branch: 'c@d'},
      {repo: 'e/f', branch: undefined},
    ])
    expect(await branches('')).toEqual({})
    expect(await branches('acme/web')).toEqual({repos: [{repo: 'acme/web', branch: 'trunk'}]})
    expect(await branches('acme/api')).toMatchObject({block: 'repos'})
    const unasked = () => Promise.reject(new Error('asked'))
    expect(await branchesOf(entry({repos: 'x/y@z'}), unasked)).toEqual({
      repos: [{repo: 'x/y', branch: 'z'}],
    })
  })

  test('names a member by a choice, or by an e-mail address', async () => {
    const users = () => Promise.resolve([{id: 'u1', email: 'Kim@acme.test'}] as never)
    const member = (runAs: string) => memberOf(entry({runAs}), users)
    expect(await member('')).toEqual({})
    expect(await member('u9')).toEqual({runAsKind: 'human', runAsId: 'u9'})
    expect(await member('kim@ACME.test')).toEqual({runAsKind: 'human', runAsId: 'u1'})
    expect(await member('<!here>@acme.test')).toMatchObject({block: 'runAs'})
    expect(JSON.stringify(await member('<!here>@acme.test'))).not.toContain('<!here>')
  })
})

describe('what the platform finds wrong', () => {
  test.for([
    ['triggers.0.timezone: is not a time zone.', 'zone'],
    ['triggers.1.cron: has too many parts; repos.0.branch: Invalid.', 'cron'],
    ['runAsId user_x is not an active member of the organization.', 'runAs'],
    ['organize.tags.0: Invalid input.', 'tags'],
    ['organize: Invalid input.', 'folders'],
    ['model.reasoningMode: Invalid option.', 'effort'],
    ['name: too long', 'name'],
    ['There is no such name.', undefined],
    ['', undefined],
  ] as const)('%s stands at %s', ([message, block]) => {
    expect(blockNamedIn(message)).toBe(block)
  })

  test('is told in words, escaped, where it belongs', () => {
    const values = entry({model: 'x'})
    const refused = new PlatformInvalidRequest('no', {
      fields: {message: 'maxRunsPerDay: <!channel>'},
    })
    expect(troubleOf(refused, values)).toEqual({
      text: 'The agent platform does not take this: maxRunsPerDay: &lt;!channel&gt;',
      block: 'perDay',
    })
    expect(troubleOf(new PlatformInvalidRequest('no'), values)).toMatchObject({block: undefined})
    const size = new PlatformPaidFeature('no', {fields: {feature: 'hyper'}})
    expect(troubleOf(size, values)).toMatchObject({block: 'size'})
    const byok = new PlatformPaidFeature('no', {fields: {feature: 'byok'}})
    expect(troubleOf(byok, values)).toMatchObject({block: 'model'})
    const model = new PlatformModelRejected('no', {fields: {candidates: [{entryId: 'swift'}]}})
    expect(troubleOf(model, values)).toEqual({
      text: 'The model *x* cannot be used; these can: swift.',
      block: 'model',
    })
    expect(troubleOf(new PlatformProjectNotFound('no'), values)).toBeUndefined()
  })
})
