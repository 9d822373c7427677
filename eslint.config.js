// What the linter holds the respondent's page and the npm package to: `make style`.

import js from "@eslint/js";
import globals from "globals";

export default [
  // Tests run in a program and in its browser at once; workers are joined from parts that share their names.
  { ignores: ["js/dist/**", "js/test/**", "src/askance_collect/respond/built/**", "src/askance_collect/respond/worker/**"] },
  js.configs.recommended,
  {
    files: ["src/askance_collect/respond/browser/*.js", "src/askance_collect/respond/hosted/*.js", "js/*.js"],
    linterOptions: { reportUnusedDisableDirectives: "error" },
    languageOptions: {
      ecmaVersion: 2022,
      sourceType: "module",
      globals: { ...globals.browser, ASKANCE_STYLE: "readonly", ASKANCE_VERSION: "readonly" },
    },
    rules: {
      "consistent-return": "off",
      "default-case-last": "error",
      "dot-notation": "error",
      eqeqeq: "error",
      "no-alert": "error",
      "no-console": ["error", { allow: ["error"] }],
      "no-control-regex": "off",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-extend-native": "error",
      "no-new-func": "error",
      "no-param-reassign": "off",
      "no-script-url": "error",
      "no-shadow": ["error", { builtinGlobals: false }],
      "no-throw-literal": "error",
      "no-unused-expressions": ["error", { allowShortCircuit: true, allowTernary: true }],
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_", caughtErrors: "none" }],
      "no-use-before-define": ["error", { classes: false, functions: false, variables: false }],
      "no-useless-concat": "error",
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": ["error", { destructuring: "all" }],
      "prefer-template": "error",
      "sort-imports": ["error", { ignoreCase: true, ignoreDeclarationSort: true }],
      yoda: "error",
    },
  },
  { files: ["js/conformance/*.js"], languageOptions: { globals: globals.node }, rules: { "no-console": "off" } },
];
