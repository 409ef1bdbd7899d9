// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/parameters/declared_parameters.h"

#include <deal.II/base/parameter_handler.h>

#include <gtest/gtest.h>

#include <sstream>

namespace strut
{
namespace
{
using namespace dealii::Patterns;

TEST(ParameterReferenceTest, HasDefaultsWhatIsAllowedAndWhatItMeans)
{
  dealii::ParameterHandler parameters;
  parameters.declare_entry("Title", "", Anything());
  parameters.enter_subsection("Run");
  parameters.declare_entry("Backend", "auto", Selection("cpu|auto"), "Where: <cpu> or *");
  parameters.set("Backend", "cpu");
  parameters.enter_subsection("Steps (all)");
  parameters.declare_entry("Number", "3", Integer(1, 9), "How many?");
  parameters.leave_subsection();
  parameters.leave_subsection();
  std::ostringstream text;
  write_parameter_reference(parameters, text);
  EXPECT_EQ(text.str(),
            "\n"
            "- **Title** = (empty)\n"
            "\n"
            "## `Run`\n"
            "\n"
            "- **Backend** = `auto`; one of: cpu, auto\n"
            "  <br>Where: \\<cpu> or \\*\n"
            "\n"
            "## `Run / Steps (all)`\n"
            "\n"
            "- **Number** = `3`; an integer between 1 and 9\n"
            "  <br>How many?\n");
}
} // namespace
} // namespace strut
