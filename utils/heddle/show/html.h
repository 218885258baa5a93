// An execution as one page that needs nothing else: page.html, with the execution in it.
#ifndef HEDDLE_SHOW_HTML_H
#define HEDDLE_SHOW_HTML_H

#include "happens_before.h"
#include "view.h"

#include <functional>
#include <string>
#include <string_view>

namespace heddle::show {

// Gives the page to `write`, a piece at a time: of a long execution it is hundreds of megabytes.
void WriteHtml(const View &view, const HappensBefore &order,
               const std::function<void(std::string_view)> &write);
std::string ToHtml(const View &view, const HappensBefore &order);

// page.html, from the build.
extern const char *const kPage;

} // namespace heddle::show

#endif // HEDDLE_SHOW_HTML_H
