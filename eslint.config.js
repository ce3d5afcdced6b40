import {defineConfig} from 'eslint/config'
import tseslint from 'typescript-eslint'

export default defineConfig(
  {ignores: ['node_modules/', 'data/', 'test/gate/fixtures/']},
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {parserOptions: {projectService: {allowDefaultProject: ['eslint.config.js']}}},
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      // Numbers in template strings are what log lines and keys are made of.
      '@typescript-eslint/restrict-template-expressions': ['error', {allowNumber: true}],
      '@typescript-eslint/no-confusing-void-expression': ['error', {ignoreArrowShorthand: true}],
      // Ports are objects of functions; a method that awaits nothing still answers with a promise.
      '@typescript-eslint/require-await': 'off',
    },
  },
)
