// What a client of the API needs: the operations, their types, and the events. The console imports types from here and nothing else.
export {
  ROUTES,
  type AnswerOf,
  type ApiError,
  type ApiEvent,
  type BodyOf,
  type QueryOf,
  type Route,
  type RouteName,
  type Routes,
  type ServerEvent,
} from "./api/routes.ts";
