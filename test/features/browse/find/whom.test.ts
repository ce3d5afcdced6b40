import {describe, expect, test} from 'vitest'
import {createWhom} from '../../../../src/features/browse/find/whom.ts'
import {PlatformForbidden, PlatformUnreachable} from '../../../../src/platform/errors.ts'
import {type OrganizationUser, organizationUserSchema} from '../../../../src/platform/model.ts'

const {signal} = new AbortController()
const user = (id: string, email: string, firstName: string, lastName: string) =>
  organizationUserSchema.parse({id, email, firstName, lastName})
const USERS = [
  user('user_jane', 'jane@acme.com', 'Jane', 'Doe'),
  user('user_kim', 'k.lee@acme.com', 'Kim', 'Lee'),
  user('user_other', 'jd@acme.com', 'Jane', 'Dorn'),
]

function meant(by: string, users: OrganizationUser[] | 'none' | 'silent' = USERS) {
  const whomOf = createWhom({
    attribute: async ({user: id}) => {
      if (users === 'silent') throw new PlatformUnreachable('silent', true)
      return id === 'U0JANE' ? {authorId: 'user_jane'} : {byKey: 'nobody'}
    },
    people: {
      withEmail: async (email) =>
        new Map([
          ['jane@acme.com', 'U0JANE'],
          ['guest@other.com', 'U0GUEST'],
        ]).get(email),
    },
  })
  const listUsers = async () => {
    if (users === 'silent') throw new PlatformForbidden('no', {status: 403})
    return users === 'none' ? [] : users
  }
  const client = users === 'none' ? undefined : {listUsers}
  return whomOf(by, {team: 'T1', user: 'U0JANE', connectionId: undefined, client}, signal)
}

describe('whose work is meant', () => {
  test.each([
    ['me', {user: 'U0JANE', authorId: 'user_jane'}],
    ['@U0JANE', {user: 'U0JANE', authorId: 'user_jane'}],
    ['@U0KIM', {user: 'U0KIM', authorId: undefined}],
    ['Jane@ACME.com', {user: 'U0JANE', authorId: 'user_jane'}],
    ['k.lee@acme.com', {user: undefined, authorId: 'user_kim'}],
    ['@k.lee', {user: undefined, authorId: 'user_kim'}],
    ['jane doe', {user: 'U0JANE', authorId: 'user_jane'}],
    ['kim', {user: undefined, authorId: 'user_kim'}],
    ['guest@other.com', {user: 'U0GUEST', authorId: undefined}],
  ])('by %s', async (by, whom) => {
    expect(await meant(by)).toEqual(whom)
  })

  test.each([
    ['kin', 'unknown', 'Kim Lee'],
    ['jane.doe@acme.com', 'unknown', 'Jane Doe'],
    ['zzzzzzzzzzzzzzzzzzzzzzzz', 'unknown', undefined],
    ['jane', 'several', undefined],
  ])('is not clear by %s', async (by, why, near) => {
    expect(await meant(by)).toEqual({wrong: 'by', why, word: by, near})
  })

  test('is found without the platform as far as Slack tells', async () => {
    expect(await meant('me', 'silent')).toEqual({user: 'U0JANE', authorId: undefined})
    expect(await meant('me', 'none')).toEqual({user: 'U0JANE', authorId: undefined})
    expect(await meant('jane@acme.com', 'silent')).toEqual({user: 'U0JANE', authorId: undefined})
    expect(await meant('kim', 'silent')).toMatchObject({why: 'untold'})
    expect(await meant('kim', 'none')).toMatchObject({why: 'unknown', near: undefined})
  })
})
